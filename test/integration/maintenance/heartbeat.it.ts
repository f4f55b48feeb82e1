import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Json } from '../../support/product.js';
import { create, makeWorld, seedHeartbeat, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { NOON } from '../results/seed.js';

const iso = (ms: number) => new Date(ms).toISOString();

describe('Maintenance of a heartbeat', () => {
  const app = appForSuite();
  let world: World;
  let id: string;
  let pingPath: string;

  beforeEach(async () => {
    await app.sql('DELETE FROM maintenance_window');
    app.clock.set(NOON);
    world = await makeWorld(app, 'Pro');
    await at(NOON);
    ({ id, pingPath } = await seedHeartbeat(world, { heartbeat: { every: 'PT10M', grace: 'PT1M' } }));
  });

  /** A time until which pings could be received, and what the processes do then. */
  async function at(ms: number): Promise<void> {
    app.clock.set(ms);
    await app.sql('DELETE FROM ping_outage');
    await app.sql('UPDATE ping_reception SET received_until = $1', [new Date(ms)]);
    await app.plane.receptionTask.run();
    for (const name of ['follow_maintenance', 'sweep_silence'])
      await app.plane.periodicTasks.find((task) => task.name === name)!.run();
  }
  const ping = async (ms: number, path = '') => {
    await at(ms);
    expect((await fetch(`${app.baseUrl}${pingPath}${path}`)).status).to.equal(200);
  };
  const plan = (body: object): Promise<Json> =>
    create(world.api, '/api/v1/maintenance-windows', {
      name: 'Move',
      startsAt: 'now',
      timezone: 'UTC',
      duration: 'PT20M',
      scope: { all: true },
      ...body,
    });
  const availability = async (fromMs: number, toMs: number): Promise<Json> =>
    (await world.api('GET', `/api/v1/monitor/${id}/availability?startDate=${iso(fromMs)}&endDate=${iso(toMs)}`)).body;
  const incidents = async (): Promise<Json[]> => (await world.api('GET', `/api/v1/incident?monitorId=${id}`)).body;

  it('opens no incident for pings that are missing in it, and one at its end where they still are', async () => {
    await ping(NOON);
    await plan({});
    await at(NOON + 15 * MINUTE_MS);
    expect((await world.api('GET', `/api/v1/monitor/${id}`)).body).to.include({ healthStatus: 'unavailable' });
    expect(await incidents()).to.deep.equal([]);
    await at(NOON + 20 * MINUTE_MS + 2_000);
    expect((await incidents()).map(({ started }) => started)).to.deep.equal([iso(NOON + 20 * MINUTE_MS)]);
  });

  it('pauses nothing: what is missing and what failed is known at its end, whatever it pauses for agents', async () => {
    await ping(NOON);
    await plan({ checks: 'pause' });
    await at(NOON + 15 * MINUTE_MS);
    expect((await world.api('GET', `/api/v1/monitor/${id}`)).body).to.include({ healthStatus: 'unavailable' });
    await at(NOON + 20 * MINUTE_MS + 2_000);
    expect((await incidents()).map(({ started }) => started)).to.deep.equal([iso(NOON + 20 * MINUTE_MS)]);

    await plan({ checks: 'pause' });
    await at(NOON + 50 * MINUTE_MS);
    expect(
      (await incidents()).map(({ isClosed }) => isClosed),
      'no success has come',
    ).to.deep.equal([false]);
    await ping(NOON + 51 * MINUTE_MS);
    expect((await incidents()).map(({ isClosed }) => isClosed)).to.deep.equal([true]);
  });

  it('leaves exactly its time out of availability, charts, reports and pages, and both percentages are named', async () => {
    const { id: pageId } = await create(world.api, '/api/v1/status-page', {
      name: 'Acme',
      slug: `jobs-${world.workspaceId}`,
      isPublished: true,
      groups: [{ name: 'Jobs', systems: [{ name: 'Backup', monitorId: id }] }],
    });
    // Up for 10 minutes, then down for 30, the last 20 of which are planned, but for 7.001 seconds; then up for 20.
    await ping(NOON);
    await ping(NOON + 10 * MINUTE_MS, '/fail');
    await at(NOON + 20 * MINUTE_MS + 7_001);
    await plan({ statusPageIds: [pageId], duration: 'PT19M' });
    await ping(NOON + 40 * MINUTE_MS);
    for (const minute of [50, 60]) await ping(NOON + minute * MINUTE_MS);
    const endMs = NOON + 60 * MINUTE_MS;
    const [up, down, hidden] = [30 * MINUTE_MS, 30 * MINUTE_MS, 19 * MINUTE_MS];
    const percent = (part: number, whole: number) => Math.round((part / whole) * 1_000_000) / 10_000;
    const expected = {
      totalChecks: 0,
      uptimePercentage: percent(up, up + down - hidden),
      maintenanceSeconds: 19 * 60,
      uptimePercentageWithMaintenance: 50,
    };
    const found = await availability(NOON, endMs);
    expect(found).to.deep.include(expected);
    expect(found.timeline.map(({ status }: Json) => status)).to.deep.equal([
      'available',
      'unavailable',
      'maintenance',
      'unavailable',
      'available',
    ]);
    const within = [NOON + 21 * MINUTE_MS, NOON + 39 * MINUTE_MS] as const;
    expect(await availability(...within), 'all of it in maintenance').to.deep.include({
      uptimePercentage: null,
      maintenanceSeconds: 18 * 60,
      uptimePercentageWithMaintenance: 0,
    });
    const period = { startDate: iso(NOON), endDate: iso(endMs) };
    const path = `/api/v1/monitor/${id}/report/generate`;
    expect((await create<Json>(world.api, path, period)).availability).to.deep.include(expected);
    const answer = await world.api('POST', path, period, { accept: 'text/html' });
    expect(String(answer.body))
      .to.include('uptime, of the time in which its state was known.')
      .and.include('Maintenance of 19 min does not count; with it, uptime is 50.00 %.')
      .and.not.include('There are no results in this period');
    const [chart] = (await world.api('GET', `/api/v1/monitor-charts?monitorId=${id}`)).body;
    expect(chart.uptime30Days).to.equal(expected.uptimePercentage);
    const page: Json = (await app.anonymous('GET', `/api/v1/public/status-page/jobs-${world.workspaceId}`)).body;
    expect(page.timelines[0].uptimePercentage).to.equal(expected.uptimePercentage);
  });

  it('does not change that a status page shows the last minutes, and nothing as healthy that is late', async () => {
    await create(world.api, '/api/v1/status-page', {
      name: 'Acme',
      slug: `late-${world.workspaceId}`,
      isPublished: true,
      groups: [{ name: 'Jobs', systems: [{ name: 'Backup', monitorId: id }] }],
    });
    await ping(NOON);
    const shown = async (): Promise<Json> => {
      app.clock.advance(3_001);
      const { body } = await app.anonymous('GET', `/api/v1/public/status-page/late-${world.workspaceId}`);
      return body.groups[0].systems[0];
    };
    app.clock.set(NOON + 4 * MINUTE_MS);
    const { status, timeline } = await shown();
    expect(status).to.equal('operational');
    expect(timeline.at(-1)).to.include({ start: iso(NOON), status: 'available' });
    // Due at 10 minutes, late at 11: no process has noticed it.
    app.clock.set(NOON + 11 * MINUTE_MS + 16_000);
    const late = await shown();
    expect(late.status).to.equal('unknown');
    expect(late.timeline.at(-1)).to.include({ start: iso(NOON + 11 * MINUTE_MS), status: 'unknown' });
    await at(app.clock.now());
    expect((await shown()).status).to.equal('majorOutage');
  });

  it('stays countable for as long as availability reaches, and what is older is removed', async () => {
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
    await app.sql('DELETE FROM heartbeat_change');
    const days = [1_000, 900, 850, 700, 1];
    for (const [index, ago] of days.entries()) {
      await app.sql('INSERT INTO heartbeat_change (monitor_key, at, verdict) VALUES ($1, $2, $3)', [
        key,
        new Date(NOON - ago * DAY_MS),
        index % 2 === 0 ? 'available' : 'unavailable',
      ]);
      await app.sql('INSERT INTO ping_outage (started, ended) VALUES ($1, $2)', [
        new Date(NOON - ago * DAY_MS),
        new Date(NOON - ago * DAY_MS + HOUR_MS),
      ]);
    }
    const before = await availability(NOON - 800 * DAY_MS, NOON - 400 * DAY_MS);
    expect(before.uptimePercentage).to.be.within(20, 30);
    const purge = () => app.plane.jobs.find(({ name }) => name === 'purge_pings')!.run();
    await purge();
    const rows = (table: string, column: string) =>
      app.sql<{ days: number }>(
        `SELECT (extract(epoch FROM $1::timestamptz - ${column}) / 86400)::integer AS days FROM ${table} ORDER BY 1 DESC`,
        [new Date(NOON)],
      );
    expect((await rows('heartbeat_change', 'at')).map((row) => row.days)).to.deep.equal([850, 700, 1]);
    expect((await rows('ping_outage', 'started')).map((row) => row.days)).to.deep.equal([700, 1]);
    expect(await availability(NOON - 800 * DAY_MS, NOON - 400 * DAY_MS)).to.deep.equal(before);
  });
});
