import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { rollUpResults } from '@watchpost/control-plane/capabilities/figures/index';
import type { Json } from '../../support/product.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, UP } from '../results/seed.js';

const iso = (ms: number) => new Date(ms).toISOString();
/** Results of two hours, the second half of the first hour down. */
const [FROM, DOWN_FROM, DOWN_TO, TO] = [0, 30, 60, 120].map((minute) => NOON - 3 * HOUR_MS + minute * MINUTE_MS) as [
  number,
  number,
  number,
  number,
];

describe('Uptime with maintenance', () => {
  const app = appForSuite();
  let world: World;
  let monitorId: string;

  before(async () => {
    app.clock.set(FROM - HOUR_MS);
    world = await makeWorld(app, 'Pro');
    ({ id: monitorId } = await seedMonitor(world, { checkInterval: 'PT1M' }));
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [monitorId]);
    const deps = { ...resultsDeps(app.db), clock: app.clock };
    const results = Array.from({ length: 120 }, (_, minute) => {
      const atMs = FROM + minute * MINUTE_MS;
      return resultOf(key, atMs, atMs >= DOWN_FROM && atMs < DOWN_TO ? DOWN : UP);
    });
    app.clock.set(TO);
    await ingestBatch(deps, agentIn('northeurope'), results);
    app.clock.set(NOON);
    await rollUpResults(deps);
    // A window is created afterwards, from the middle of the outage until the middle of the time after it.
    await create(world.api, '/api/v1/maintenance-windows', {
      name: 'Late',
      startsAt: iso(DOWN_FROM + 15 * MINUTE_MS).slice(0, 16),
      timezone: 'UTC',
      duration: 'PT45M',
      scope: { all: true },
    });
  });

  const expected = {
    totalChecks: 75,
    healthyChecks: 60,
    unhealthyChecks: 15,
    uptimePercentage: 80,
    maintenanceSeconds: 2_700,
    uptimePercentageWithMaintenance: 75,
  };
  const availability = async (query: string): Promise<Json> =>
    (await world.api('GET', `/api/v1/monitor/${monitorId}/availability?${query}`)).body;

  it('leaves out the checks of exactly that time, and shows it in the timeline', async () => {
    const found = await availability(`startDate=${iso(FROM)}&endDate=${iso(TO)}`);
    expect(found).to.deep.include(expected);
    expect(found.regions[0]).to.deep.include({ totalChecks: 75, uptimePercentage: 80 });
    expect(found.timeline).to.deep.equal([
      { start: iso(FROM), end: iso(DOWN_FROM), status: 'available' },
      { start: iso(DOWN_FROM), end: iso(DOWN_FROM + 15 * MINUTE_MS), status: 'unavailable' },
      { start: iso(DOWN_FROM + 15 * MINUTE_MS), end: iso(DOWN_TO + 30 * MINUTE_MS), status: 'maintenance' },
      { start: iso(DOWN_TO + 30 * MINUTE_MS), end: iso(TO), status: 'available' },
    ]);
    expect((await availability(`startDate=${iso(TO)}&endDate=${iso(NOON)}`)).maintenanceSeconds).to.equal(0);
  });

  it('is the same in reports and charts', async () => {
    const period = { startDate: iso(FROM), endDate: iso(TO) };
    const report = await create<Json>(world.api, `/api/v1/monitor/${monitorId}/report/generate`, period);
    expect(report.availability).to.deep.include(expected);
    const { body } = await world.api('GET', `/api/v1/monitor-charts?monitorId=${monitorId}`);
    const [chart] = body;
    expect(chart.uptime30Days).to.equal(80);
    expect(chart.bar.states).to.match(/aaum{3}aa/);
  });

  it('is the same where only hours are kept', async () => {
    app.clock.set(NOON + 40 * DAY_MS);
    await app.sql('DELETE FROM check_result');
    expect(await availability(`startDate=${iso(FROM)}&endDate=${iso(TO)}`)).to.deep.include(expected);
    app.clock.set(NOON);
  });
});
