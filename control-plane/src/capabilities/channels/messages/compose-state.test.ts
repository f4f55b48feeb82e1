import { expect } from 'chai';
import type { IncidentSummary, NotifiedEvent } from './alert-message.js';
import { composeReply, composeState } from './compose-state.js';

const STARTED = '2026-11-23T09:00:00Z';
const ENDED = '2026-11-23T09:05:00Z';
const INCIDENT: IncidentSummary = {
  id: 'i',
  workspaceId: 'w',
  monitorId: 'm',
  monitorName: 'Shop',
  incidentType: 'Availability',
  status: 'Ongoing',
  isClosed: false,
  severity: 'down',
  regions: ['northeurope'],
  acknowledged: false,
  started: STARTED,
  ended: null,
  failureReason: 'The connection was refused.',
  created: STARTED,
  lastModified: STARTED,
};
const links = {
  baseUrl: 'https://watch.example',
  evidenceUrl: () => 'https://watch.example/incident/1',
  hasButton: true,
};

function eventOf(type: NotifiedEvent['type'], incident: Partial<IncidentSummary>, detail: object = {}): NotifiedEvent {
  const subject = { workspaceName: 'Acme', monitor: null, incident: { ...INCIDENT, ...incident }, person: 'Ann' };
  return { id: 'e', workspaceId: 'w', type, atMs: Date.parse(ENDED), detail: { ...detail }, subject };
}

describe('The state that the message of an incident shows', () => {
  const acknowledged = { acknowledged: true, acknowledgedByName: 'Ann' };
  const over = { ended: ENDED };
  const cases: [string, NotifiedEvent, string, string][] = [
    ['is what is wrong', eventOf('incident.updated', {}, { change: 'relapsed' }), 'bad', 'Down: Shop'],
    ['is how bad it is', eventOf('incident.updated', { severity: 'partial' }), 'warning', 'Partly down: Shop'],
    [
      'is that somebody works on it',
      eventOf('incident.acknowledged', acknowledged),
      'info',
      'Down, acknowledged: Shop',
    ],
    ['stays so when it changes', eventOf('incident.updated', acknowledged), 'info', 'Down, acknowledged: Shop'],
    [
      'is what is wrong again where the acknowledgement is taken back',
      eventOf('incident.updated', {}, { change: 'unacknowledged' }),
      'bad',
      'Down: Shop',
    ],
    [
      'is the problem and not the status that a person set',
      eventOf('incident.updated', { status: 'Investigating' }, { change: 'status', status: 'Investigating' }),
      'bad',
      'Down: Shop',
    ],
    ['is that all is well', eventOf('incident.updated', over, { change: 'recovered' }), 'good', 'Recovered: Shop'],
    [
      'stays that all is well after a late acknowledgement',
      eventOf('incident.acknowledged', { ...over, ...acknowledged }),
      'good',
      'Recovered: Shop',
    ],
    ['is how it ended', eventOf('incident.resolved', { ...over, isClosed: true }), 'good', 'Resolved: Shop'],
  ];
  for (const [title, event, tone, shown] of cases)
    it(title, () => expect(composeState(event, links)).to.include({ tone, title: shown }));

  it('has who acknowledged it, since when, until when and for how long', () => {
    const { facts } = composeState(eventOf('incident.resolved', { ...acknowledged, ...over, isClosed: true }), links);
    expect(Object.fromEntries(facts.map(({ name, value }) => [name, value]))).to.include({
      Since: '23 Nov 2026, 09:00 UTC',
      Until: '23 Nov 2026, 09:05 UTC',
      Duration: '5 min',
      'Acknowledged by': 'Ann',
    });
  });

  it('is answered by a few words alone', () => {
    const reply = composeReply(eventOf('incident.updated', {}, { change: 'relapsed' }), links);
    expect(reply).to.deep.include({ title: 'Down again: Shop', facts: [], links: [] });
    expect(reply).to.not.have.property('button');
  });
});
