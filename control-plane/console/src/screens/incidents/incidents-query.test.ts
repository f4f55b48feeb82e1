import { expect } from 'chai';
import type { Incident } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import { readIncidentsQuery, TYPE_WORDS } from './incidents-query.js';

const read = (text: string) => readIncidentsQuery(new URLSearchParams(text));

describe('The address of the list of incidents', () => {
  it('shows the open ones, worst first, where it names nothing', () => {
    const { shown, query, fault } = read('');
    expect([shown, fault]).to.deep.equal(['open', undefined]);
    expect(query).to.include({ isClosed: 'false', sort: 'severity' });
  });

  it('is what the API is asked', () => {
    const { query } = read(
      'show=all&type=certificate&status=Resolved&search=shop&from=2026-11-20&to=2026-11-21&page=2',
    );
    expect(query).to.include({ incidentType: 'SslExpiry', status: 'Resolved', search: 'shop', page: 2 });
    expect(query).to.include({ isClosed: undefined, sort: undefined });
    expect(Date.parse(query.endDate) - Date.parse(query.startDate)).to.be.within(47 * 3_600_000, 49 * 3_600_000);
  });

  it('names every type of incident', () => {
    const types = TYPE_WORDS.map((word) => read(`type=${word}`).query['incidentType']);
    const all: Record<Incident['incidentType'], true> = {
      Availability: true,
      Assertion: true,
      SslExpiry: true,
      Latency: true,
      Dns: true,
      Domain: true,
      Heartbeat: true,
    };
    expect(types).to.have.members(Object.keys(all));
  });

  it('never widens the list by what it does not know', () => {
    expect(read('type=disk').fault).to.match(/There is no type "disk"/);
    expect(read('type=dns&type=latency').fault).to.match(/exclude each other/);
    expect(read('show=everything&from=soon').query).to.include({ isClosed: 'false', startDate: '' });
  });
});
