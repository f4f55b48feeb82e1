import { expect } from 'chai';
import type { Outcome } from '@watchpost/shared/outcome';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { extendWindows } from '@watchpost/control-plane/capabilities/maintenance/index';
import { monitorCheckSource } from '@watchpost/control-plane/capabilities/monitors/index';
import pino from 'pino';
import type { Json } from '../../support/product.js';
import { create, fillMonitors, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { change, openTogether, timelineOf } from '../../support/seed-alerts.js';
import { appForSuite } from '../../support/suite.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, UP } from '../results/seed.js';

const PATH = '/api/v1/maintenance-windows';
const iso = (ms: number) => new Date(ms).toISOString();

describe('A maintenance window', () => {
  const app = appForSuite();
  let world: World;
  let monitorId: string;
  let key: number;
  let minute: number;

  beforeEach(async () => {
    app.clock.set(NOON);
    minute = 0;
    world = await makeWorld(app);
    ({ id: monitorId } = await seedMonitor(world, { checkInterval: 'PT1M', tags: ['web'] }));
    [{ key }] = (await app.sql<{ key: number }>('SELECT key FROM monitor WHERE id = $1', [monitorId])) as [
      { key: number },
    ];
  });

  const run = async (...names: string[]) => {
    for (const name of names) await app.plane.periodicTasks.find((task) => task.name === name)!.run();
  };
  /** What the processes do within two seconds of a moment. */
  const look = () => run('follow_maintenance', 'sweep_silence', 'page_due');
  const at = async (ms: number) => {
    app.clock.set(ms);
    await look();
  };
  /** The result of the next minute. */
  const observe = async (...outcomes: Outcome[]) => {
    const deps = { ...resultsDeps(app.db), clock: app.clock };
    for (const outcome of outcomes) {
      const dueMs = NOON + ++minute * MINUTE_MS;
      app.clock.set(dueMs + 500);
      await ingestBatch(deps, agentIn('northeurope'), [resultOf(key, dueMs, outcome)]);
      await look();
    }
  };
  const open = (body: object = {}): Promise<Json> =>
    create(world.api, PATH, {
      name: 'Deploy',
      startsAt: 'now',
      duration: 'PT30M',
      scope: { monitorIds: [monitorId] },
      ...body,
    });
  const incidents = () =>
    app.sql<{ started: Date; ended: Date | null; is_closed: boolean }>(
      'SELECT started, ended, is_closed FROM incident WHERE monitor_key = $1 ORDER BY started',
      [key],
    );
  const alerts = async () =>
    await app.column<string>('SELECT type FROM alert_event WHERE workspace_id = $1 ORDER BY at, id', [
      world.workspaceId,
    ]);
  /** Puts the monitor into a group whose team pages somebody. */
  const routeToTeam = async () => {
    const { id: serviceGroupId } = await create(world.api, '/api/v1/service-group', { name: 'Shop' });
    await create(world.api, `/api/v1/monitor/${monitorId}`, { serviceGroupId }, 'PUT');
    const ann = await world.member('Responder');
    const { id: teamId } = await create(world.api, '/api/v1/teams', { name: 'Web' });
    await create(world.api, `/api/v1/teams/${teamId}/members`, { userId: ann.userId, teamRole: 'member' });
    const schedule = { rotation: 'daily', timezone: 'UTC', handoffTime: '09:00', startDate: '2026-11-01' };
    await create(world.api, `/api/v1/teams/${teamId}/schedule`, { ...schedule, participants: [ann.userId] }, 'PUT');
    await create(world.api, `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`, undefined, 'PUT');
  };
  /** Reads what the timeline has about pages that wait. */
  const waits = async (incident: string): Promise<string[]> =>
    (await timelineOf(world, incident)).flatMap(({ type, detail }) =>
      type === 'notification_failed' ? [detail['reason'] as string] : [],
    );
  const monitor = async (): Promise<Json> => (await world.api('GET', `/api/v1/monitor/${monitorId}`)).body;
  const checks = async (): Promise<number> => {
    const { monitors } = await app.db.read((tx) =>
      monitorCheckSource({ secretBox: app.secretBox, logger: pino({ level: 'silent' }) }).changed(tx, 0, 10_000),
    );
    return monitors.filter(({ monitorKey }) => monitorKey === key).flatMap(({ places }) => places).length;
  };

  it('shows what was measured, opens no incident, and leaves one for what still fails at its end', async () => {
    await observe(UP);
    const window = await open();
    const endMs = app.clock.now() + 30 * MINUTE_MS;
    await observe(DOWN, DOWN, DOWN);
    expect(await monitor()).to.deep.include({
      healthStatus: 'unavailable',
      maintenance: { windowId: window.id, until: iso(endMs) },
    });
    expect(await incidents()).to.deep.equal([]);
    expect(await alerts()).to.deep.equal([]);
    while (app.clock.now() + MINUTE_MS < endMs) await observe(DOWN);
    await at(endMs - 1);
    expect(await incidents()).to.deep.equal([]);

    await at(endMs + 2 * SECOND_MS);
    expect(await incidents()).to.deep.equal([{ started: new Date(endMs), ended: null, is_closed: false }]);
    expect(await alerts()).to.deep.equal(['incident.opened']);
    expect((await monitor()).maintenance).to.equal(null);
    expect((await world.api('GET', `${PATH}/${window.id}`)).body).to.include({ state: 'finished', activeUntil: null });
  });

  it('opens no incident for what recovered within it', async () => {
    await observe(UP);
    await open();
    await observe(DOWN, DOWN, UP);
    await at(NOON + 40 * MINUTE_MS);
    expect(await incidents()).to.deep.equal([]);
  });

  it('keeps an incident open that is older, and lets it close without a message', async () => {
    await observe(DOWN, DOWN);
    expect(await alerts()).to.deep.equal(['incident.opened']);
    await open();
    await observe(DOWN, DOWN);
    expect((await incidents())[0]).to.include({ is_closed: false });
    await observe(UP);
    expect((await incidents())[0]).to.include({ is_closed: true });
    expect(await alerts()).to.deep.equal(['incident.opened']);
  });

  it('makes paging wait, and escalate only after as much time without it', async () => {
    await routeToTeam();
    const pages = async () =>
      (await app.sql(`SELECT 1 FROM delivery WHERE workspace_id = $1 AND purpose LIKE 'page:%'`, [world.workspaceId]))
        .length;
    await observe(DOWN, DOWN);
    expect(await pages()).to.equal(1);
    const openedMs = app.clock.now();
    await at(openedMs + 4 * MINUTE_MS);
    await open();
    const incident = await app.value<string>('SELECT id FROM incident WHERE monitor_key = $1', [key]);
    const next = async () =>
      (await world.api('GET', `/api/v1/incident/${incident}/notifications`)).body.nextEscalationAt;
    const later = iso(openedMs + 40 * MINUTE_MS);
    expect(await next(), 'as long after as the window lasts').to.equal(later);
    for (const minutes of [10, 11, 20]) {
      await at(openedMs + minutes * MINUTE_MS);
      expect(await next()).to.equal(later);
    }
    expect(await pages(), 'within the window').to.equal(1);
    expect(await waits(incident), 'stated once').to.deep.equal([
      'The monitor is in maintenance: Web is paged when that is over, unless the incident is too.',
    ]);
    await at(openedMs + 34 * MINUTE_MS);
    expect(await pages(), 'the second page is due 6 minutes after the window').to.equal(1);
    await at(openedMs + 40 * MINUTE_MS - 1);
    expect(await next()).to.equal(later);
    expect(await pages()).to.equal(1);
    await at(openedMs + 40 * MINUTE_MS);
    expect(await pages()).to.equal(2);
    expect(await waits(incident)).to.have.length(1);
  });

  it('delays the first page of what fails again within it, and each of many steps by as much in one run', async () => {
    await routeToTeam();
    const due = () =>
      app.sql<{ due: number; monitor: number }>(
        `SELECT extract(epoch FROM due_at)::float * 1000 AS due, monitor_key AS monitor FROM incident_paging
         WHERE workspace_id = $1 AND due_at IS NOT NULL ORDER BY due_at`,
        [world.workspaceId],
      );
    await fillMonitors(app, monitorId, 250, ['many']);
    const many = await app.sql<{ id: string }>(
      `UPDATE monitor SET service_group_id = (SELECT service_group_id FROM monitor WHERE id = $2)
       WHERE workspace_id = $1 AND tags = '{many}' RETURNING id`,
      [world.workspaceId, monitorId],
    );
    const [first] = await openTogether(world, [monitorId, ...many.map(({ id }) => id)]);
    await run('page_due');
    await open({ scope: { tags: ['many'] } });
    await open();
    await change(world, first!, { kind: 'recover', autoClose: false, isSilent: true });
    app.clock.advance(MINUTE_MS);
    await change(world, first!, { kind: 'relapse', isSilent: true });
    await run('page_due');
    expect(await waits(first!)).to.have.length(1);
    await at(NOON + 30 * MINUTE_MS);
    await run('page_due');
    const rows = await due();
    expect(rows.map(({ due: ms }) => (ms - NOON) / MINUTE_MS)).to.deep.equal(many.map(() => 40).concat(40));
    const pages = await app.sql(
      `SELECT 1 FROM delivery d JOIN alert_event e ON e.id = d.event_id WHERE e.incident_id = $1 AND purpose LIKE 'page:%'
         AND state <> 'cancelled'`,
      [first],
    );
    expect(pages, 'after the window').to.have.length(1);
  });

  it('stops the paging for what recovers within it, and cancels the pages that wait, without a message', async () => {
    await routeToTeam();
    const deliveries = () =>
      app.sql<{ purpose: string; state: string }>(
        'SELECT left(purpose, 4) AS purpose, state FROM delivery WHERE workspace_id = $1',
        [world.workspaceId],
      );
    await observe(DOWN, DOWN);
    expect(await deliveries()).to.deep.equal([{ purpose: 'page', state: 'waiting' }]);
    await open();
    await observe(UP);
    expect((await incidents())[0]).to.include({ is_closed: true });
    expect(await deliveries()).to.deep.equal([{ purpose: 'page', state: 'cancelled' }]);
    expect(await app.sql('SELECT due_at FROM incident_paging WHERE monitor_key = $1', [key])).to.deep.equal([
      { due_at: null },
    ]);
    expect(await alerts()).to.deep.equal(['incident.opened', 'incident.opened']);
  });

  it('pauses checks where it should, and releases them at its end or when it is ended', async () => {
    const window = await open({ checks: 'pause' });
    expect(await checks()).to.equal(0);
    expect(await monitor()).to.deep.include({ healthStatus: null, nextCheck: null });
    await at(NOON + 29 * MINUTE_MS);
    expect(await checks()).to.equal(0);
    await at(NOON + 30 * MINUTE_MS);
    expect(await checks()).to.equal(1);
    const due = (await monitor()).nextCheck;
    expect(Date.parse(due) - app.clock.now()).to.be.within(-1, 10 * SECOND_MS);

    await create(world.api, `${PATH}/${window.id}`, { startsAt: '2026-11-21T13:00', duration: 'PT1H' }, 'PUT');
    await at(NOON + HOUR_MS);
    expect(await checks()).to.equal(0);
    await create(world.api, `${PATH}/${window.id}/end`);
    expect(await checks()).to.equal(1);
    await at(NOON + 61 * MINUTE_MS);
    await open({ checks: 'pause' });
    expect(await checks()).to.equal(0);
    const { body } = await world.api('GET', PATH);
    await world.api('DELETE', `${PATH}/${body[0].id}`);
    expect(await checks()).to.equal(1);
  });

  it('that is ended or deleted early leaves an incident from that moment on', async () => {
    for (const [method, path] of [
      ['POST', '/end'],
      ['DELETE', ''],
    ] as const) {
      await observe(UP);
      const window = await open();
      await observe(DOWN, DOWN);
      app.clock.advance(10 * SECOND_MS);
      const endedMs = app.clock.now();
      expect((await world.api(method, `${PATH}/${window.id}${path}`)).status).to.be.within(200, 204);
      await at(endedMs + 2 * SECOND_MS);
      expect((await incidents()).at(-1)).to.deep.include({ started: new Date(endedMs), is_closed: false });
    }
  });

  it('that is prolonged while it runs goes on hiding, and one that is cut short does not', async () => {
    const window = await open();
    await observe(DOWN, DOWN);
    await create(world.api, `${PATH}/${window.id}`, { duration: 'PT2H' }, 'PUT');
    await at(NOON + 31 * MINUTE_MS);
    expect((await monitor()).maintenance.until).to.equal(iso(NOON + 2 * HOUR_MS));
    minute = 60;
    await observe(DOWN, DOWN);
    expect(await incidents()).to.deep.equal([]);
    await create(world.api, `${PATH}/${window.id}`, { duration: 'PT5M' }, 'PUT');
    const cutMs = app.clock.now();
    await at(cutMs + 2 * SECOND_MS);
    expect((await incidents())[0]).to.deep.include({ started: new Date(cutMs) });
  });

  it('that recurs and was ended early does not begin again when it is edited, and takes place the next time', async () => {
    const isCovered = async () => (await monitor()).maintenance !== null;
    const saturdays = { timezone: 'UTC', recurrence: 'FREQ=WEEKLY;BYDAY=SA', duration: 'PT2H' };
    const { id } = await open({ ...saturdays, startsAt: '2026-11-21T12:01' });
    const update = (body: object) => create(world.api, `${PATH}/${id}`, body, 'PUT');
    await at(NOON + 10 * MINUTE_MS);
    expect(await isCovered()).to.equal(true);
    await create(world.api, `${PATH}/${id}/end`);
    await at(NOON + 20 * MINUTE_MS);
    await update({ duration: 'PT3H' });
    await at(NOON + 21 * MINUTE_MS);
    expect(await isCovered()).to.equal(false);

    // An occurrence that is added while it would run begins at once.
    await at(NOON + DAY_MS + 10 * MINUTE_MS);
    await update({ recurrence: 'FREQ=DAILY' });
    expect(await isCovered()).to.equal(true);
    await at(NOON + DAY_MS + 20 * MINUTE_MS);
    await create(world.api, `${PATH}/${id}/end`);
    await at(NOON + DAY_MS + 30 * MINUTE_MS);
    await update({ duration: 'PT2H' });
    expect(await isCovered()).to.equal(false);
    expect((await world.api('GET', `${PATH}/${id}`)).body.nextOccurrence.start).to.equal('2026-11-23T12:01:00.000Z');
  });

  it('covers monitors by tag and group as they join and leave while it runs', async () => {
    await open({ scope: { tags: ['web'] } });
    const isCovered = async () => (await monitor()).maintenance !== null;
    expect(await isCovered()).to.equal(true);
    await at(NOON + MINUTE_MS);
    await create(world.api, `/api/v1/monitor/${monitorId}`, { tags: [] }, 'PUT');
    expect(await isCovered()).to.equal(false);
    await at(NOON + 2 * MINUTE_MS);
    await create(world.api, `/api/v1/monitor/${monitorId}`, { tags: ['web'] }, 'PUT');
    expect(await isCovered()).to.equal(true);
    expect(
      await app.sql('SELECT starts, ends FROM maintenance_period WHERE monitor_key = $1 ORDER BY starts', [key]),
    ).to.deep.equal([
      { starts: new Date(NOON), ends: new Date(NOON + MINUTE_MS) },
      { starts: new Date(NOON + 2 * MINUTE_MS), ends: new Date(NOON + 30 * MINUTE_MS) },
    ]);
  });

  it('is there in time where no process looks at the moment of its start', async () => {
    await open({ startsAt: '2026-11-21T12:04' });
    await observe(UP);
    app.clock.set(NOON + 4 * MINUTE_MS);
    expect((await monitor()).maintenance).to.include({ until: iso(NOON + 34 * MINUTE_MS) });
    app.clock.set(NOON + 4 * MINUTE_MS - 1);
    expect((await monitor()).maintenance).to.equal(null);
  });

  it('recurs at its local time, can be skipped once, and is stored for 60 days ahead', async () => {
    const window = await open({
      startsAt: '2026-11-22T02:00',
      timezone: 'America/New_York',
      recurrence: 'FREQ=DAILY;COUNT=150',
      duration: 'PT1H',
    });
    expect(window).to.deep.include({ state: 'scheduled' });
    expect(window.nextOccurrence.start).to.equal('2026-11-22T07:00:00.000Z');
    const skipped = await create<Json>(world.api, `${PATH}/${window.id}/skip-next`);
    expect(skipped.nextOccurrence.start).to.equal('2026-11-23T07:00:00.000Z');
    const occurrences: { start: string }[] = (await world.api('GET', `${PATH}/${window.id}/occurrences`)).body;
    expect(occurrences).to.have.length(149);
    expect(occurrences.find(({ start }) => start.startsWith('2027-03-14'))!.start, 'after the clocks moved').to.equal(
      '2027-03-14T07:00:00.000Z',
    );
    expect(occurrences.find(({ start }) => start.startsWith('2027-03-15'))!.start).to.equal('2027-03-15T06:00:00.000Z');
    const stored = async () =>
      await app.value<Date>('SELECT max(ends) AS ends FROM maintenance_occurrence WHERE window_id = $1', [window.id]);
    expect((await stored()).getTime()).to.be.greaterThan(NOON + 60 * DAY_MS);
    app.clock.advance(50 * DAY_MS);
    expect(await extendWindows({ db: app.db, clock: app.clock })).to.be.at.least(1);
    expect((await stored()).getTime()).to.be.greaterThan(NOON + 110 * DAY_MS);
    expect((await world.api('GET', `${PATH}/${window.id}/occurrences`)).body).to.have.length(149 - 49);
  });

  it('is previewed as it would occur, with the faults of its schedule', async () => {
    const schedule = { startsAt: '2026-11-22T02:00', timezone: 'America/New_York', recurrence: 'FREQ=DAILY' };
    const preview = (query: object) =>
      world.api('GET', `/api/v1/maintenance-preview?${new URLSearchParams({ ...schedule, ...query }).toString()}`);
    const created = await open({ ...schedule, duration: 'PT1H' });
    const own = await world.api('GET', `${PATH}/${created.id}/occurrences`);
    expect((await preview({ duration: 'PT1H' })).body).to.deep.equal(own.body.slice(0, 5));
    const fault = await preview({ duration: 'P2D' });
    expect(fault.status).to.equal(400);
    expect(fault.body.details.map(({ path }: Json) => path)).to.deep.equal(['duration']);
  });

  it('is in the calendar of its workspace alone, also beyond what is stored, in order, and in a range that is bounded', async () => {
    const calendar = (startDate: string, endDate: string, of = world) =>
      of.api('GET', `/api/v1/maintenance-calendar?${new URLSearchParams({ startDate, endDate }).toString()}`);
    const daily = await open({
      name: 'Nights',
      startsAt: '2026-11-22T02:00',
      timezone: 'UTC',
      recurrence: 'FREQ=DAILY',
    });
    const once = await open({ name: 'Once', startsAt: '2026-11-23T01:00', timezone: 'UTC', recurrence: null });
    const { body } = await calendar('2026-11-22T00:00:00Z', '2026-11-24T00:00:00Z');
    expect(body.map(({ windowId, name, start }: Json) => [windowId, name, start])).to.deep.equal([
      [daily.id, 'Nights', '2026-11-22T02:00:00.000Z'],
      [once.id, 'Once', '2026-11-23T01:00:00.000Z'],
      [daily.id, 'Nights', '2026-11-23T02:00:00.000Z'],
    ]);
    expect((await calendar('2028-01-01T00:00:00Z', '2028-02-01T00:00:00Z')).body).to.have.length(31);
    expect((await calendar('2026-11-22T00:00:00Z', '2026-11-24T00:00:00Z', await makeWorld(app))).body).to.deep.equal(
      [],
    );
    const fault = await calendar('2026-11-22T00:00:00Z', '2027-11-24T00:00:00Z');
    expect([fault.status, fault.body.details[0].path]).to.deep.equal([400, 'endDate']);
  });

  it('in the past needs an Admin, is single, and goes back at most 7 days', async () => {
    const editor = (await world.member('Editor')).api;
    const body = { name: 'Late', timezone: 'UTC', duration: 'PT1H', scope: { all: true } };
    const post = (startsAt: string, more: object = {}, api = world.api) =>
      api('POST', PATH, { ...body, startsAt, ...more });
    expect((await post('2026-11-20T12:00', {}, editor)).body.error).to.equal('insufficient_workspace_role');
    expect((await post('2026-11-14T11:59')).body.details[0].path).to.equal('startsAt');
    expect((await post('2026-11-20T12:00', { recurrence: 'FREQ=DAILY' })).body.details[0].path).to.equal('startsAt');
    const created = await post('2026-11-20T12:00');
    expect(created.body).to.include({ state: 'finished', nextOccurrence: null });
    const moved = { startsAt: '2026-11-20T13:00' };
    expect((await editor('PUT', `${PATH}/${created.body.id}`, moved)).status).to.equal(403);
    expect((await world.api('PUT', `${PATH}/${created.body.id}`, moved)).status).to.equal(200);
    expect(await app.sql('SELECT starts, ends FROM maintenance_period WHERE monitor_key = $1', [key])).to.deep.equal([
      { starts: new Date('2026-11-20T13:00Z'), ends: new Date('2026-11-20T14:00Z') },
    ]);
    // A finished window that is used again leaves the past alone.
    expect((await editor('PUT', `${PATH}/${created.body.id}`, { startsAt: '2026-11-25T02:00' })).status).to.equal(200);
    expect(
      (await world.api('GET', `${PATH}/${created.body.id}/occurrences?startDate=2026-11-01T00:00:00Z`)).body,
    ).to.have.length(2);
  });

  it('names all that is wrong with it at once', async () => {
    const { status, body } = await world.api('POST', PATH, {
      name: '',
      startsAt: '2026-02-30T02:00',
      timezone: 'Moon/Base',
      duration: 'PT1M',
      recurrence: 'FREQ=YEARLY',
      scope: {},
    });
    expect(status).to.equal(400);
    expect(body.details.map(({ path }: { path: string }) => path)).to.include.members([
      'name',
      'startsAt',
      'timezone',
      'duration',
      'recurrence',
      'scope',
    ]);
    const overlapping = {
      startsAt: '2026-12-01T02:00',
      duration: 'P2D',
      recurrence: 'FREQ=DAILY',
      scope: { all: true },
    };
    expect((await world.api('POST', PATH, { name: 'Always', ...overlapping })).body.details[0].path).to.equal(
      'duration',
    );
    const never = {
      startsAt: '2026-12-01T02:00',
      duration: 'PT1H',
      recurrence: 'FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=1MO',
    };
    expect(
      (await world.api('POST', PATH, { name: 'Never', ...never, scope: { all: true } })).body.details[0].path,
    ).to.equal('recurrence');
    const early = await world.api('POST', `${PATH}/${(await open({ startsAt: '2026-12-01T02:00' })).id}/end`);
    expect([early.status, early.body.error]).to.deep.equal([409, 'not_active']);
  });

  it('is one of at most 500 of a workspace; after one is deleted there is room for another', async () => {
    const window = { startsAt: '2026-12-01T02:00', duration: 'PT1H', scope: { all: true } };
    const first = await create<{ id: string }>(world.api, PATH, { name: 'First', ...window });
    await app.sql(
      `INSERT INTO maintenance_window SELECT (jsonb_populate_record(maintenance_window, jsonb_build_object('id', gen_random_uuid()))).*
       FROM maintenance_window, generate_series(1, 499) WHERE id = $1`,
      [first.id],
    );
    const refused = await world.api('POST', PATH, { name: 'Another', ...window });
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'plan_limit_exceeded']);
    expect((await world.api('DELETE', `${PATH}/${first.id}`)).status).to.equal(204);
    expect((await world.api('POST', PATH, { name: 'Another', ...window })).status).to.equal(201);
  });
});
