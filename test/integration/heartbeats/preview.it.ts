import { expect } from 'chai';
import { appForSuite, worldForSuite } from '../../support/suite.js';

describe('The preview of a heartbeat', () => {
  const app = appForSuite();
  const world = worldForSuite(app);
  const preview = (query: Record<string, string>) =>
    world.api('GET', `/api/v1/heartbeat-preview?${new URLSearchParams(query).toString()}`);

  it('shows the next five times in the zone of the workspace', async () => {
    const settings = { timezone: 'Europe/Berlin' };
    await world.api('PATCH', `/api/v1/workspaces/${world.workspaceId}`, { settings });
    const { status, body } = await preview({ cron: '30 2 * * *', from: '2027-03-26T12:00:00Z' });
    expect(status).to.equal(200);
    expect(body).to.deep.equal([
      '2027-03-27T01:30:00.000Z',
      '2027-03-28T01:00:00.000Z',
      '2027-03-29T00:30:00.000Z',
      '2027-03-30T00:30:00.000Z',
      '2027-03-31T00:30:00.000Z',
    ]);
  });

  it('begins now, and counts an interval from one to the next', async () => {
    const { body } = await preview({ every: 'PT90M', count: '2' });
    expect(body).to.have.length(2);
    expect(Date.parse(body[1]) - Date.parse(body[0])).to.equal(90 * 60_000);
    expect(Date.parse(body[0])).to.be.greaterThan(app.clock.now());
  });

  it('names all that is wrong with the query at once', async () => {
    const { status, body } = await preview({ cron: '0 0 30 2 *', timezone: 'Mars', from: 'soon', count: '51' });
    expect(status).to.equal(400);
    expect(body.details.map(({ path }: { path: string }) => path)).to.have.members([
      'cron',
      'timezone',
      'from',
      'count',
    ]);
    for (const query of [{}, { cron: '* * * * *', every: 'PT1H' }]) expect((await preview(query)).status).to.equal(400);
    for (const count of ['0', '-1', '1.5', '']) expect((await preview({ every: 'PT1H', count })).status).to.equal(400);
  });

  it('finds dates that are rare, for which a search by minutes would take hours, and ends with the calendar', async () => {
    for (const cron of [
      '0 0 29 2 */7',
      '* * 29 2 */7',
      '59 23 31 12 *',
      '0 0 29 2 MON#5',
      '* * * * *',
      '0-59 0-23 * * *',
    ])
      for (const timezone of ['Africa/Casablanca', 'Pacific/Apia', 'UTC']) {
        const { status } = await preview({ cron, timezone, count: '50', from: '2080-01-01T00:00:00Z' });
        expect(status, cron).to.equal(200);
      }
    expect((await preview({ cron: '0 0 * * *', from: '9999-12-31T23:00:00Z', timezone: 'UTC' })).body).to.deep.equal(
      [],
    );
    expect((await preview({ every: 'P31D', from: '9999-12-31T23:00:00Z' })).body).to.deep.equal([]);
  });
});
