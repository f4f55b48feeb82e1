import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mock } from 'node:test';
import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { enqueueMail } from '@watchpost/control-plane/capabilities/delivery/index';
import { newId } from '@watchpost/shared/id';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { type JobRunner, type RecurringJob, startJobRunner } from '@watchpost/control-plane/platform/jobs/job-runner';
import { seedGroup } from '../../support/seed-alerts.js';
import type { TestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { create, makeWorld, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

const MIDNIGHT = Date.UTC(2027, 2, 9);
/** A little before a minute, so that the runner does not wait long for its first one. */
const START = MIDNIGHT + 3 * HOUR_MS + 59_700;
/** All daily jobs are due in between. */
const END = MIDNIGHT + 4 * HOUR_MS + 45 * MINUTE_MS + 10_000;
/** Days later, on a morning on which a daily report is due too. */
const BACK = MIDNIGHT + 3 * DAY_MS + 6 * HOUR_MS + 20 * MINUTE_MS + 10_000;

interface Due {
  app: TestApp;
  world: World;
  monitorId: string;
  now: Date;
  /** So many days before now. */
  daysAgo(days: number): Date;
}

interface TimetableRow {
  /** `03:47` once a day, `:17` once an hour, `*` every minute, `/10` every ten minutes. UTC. */
  at: string;
  /** Makes something that is the job's to do. @returns how many of it are there still, after the job: 0 */
  seed(due: Due): Promise<() => Promise<number>>;
}

const left =
  ({ app }: Due, sql: string, params: unknown[]) =>
  async () =>
    await app.value<number>(`SELECT count(*) AS count FROM ${sql}`, params);

/** A schedule of the owner alone. */
async function scheduleOf({ world }: Due): Promise<string> {
  const { id: teamId } = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
  const { userId } = world.owner;
  await create(world.api, `/api/v1/teams/${teamId}/members`, { userId });
  const layer = { name: 'Days', rotation: { unit: 'day' }, participants: [userId] };
  return (await create(world.api, `/api/v1/teams/${teamId}/schedules`, { name: 'Days', layers: [layer] })).id;
}

/** Every job of the service: when it is due, and what it does. */
const TIMETABLE: Readonly<Record<string, TimetableRow>> = {
  roll_up_results: {
    at: '*',
    async seed(due) {
      await due.app.sql('UPDATE rollup_progress SET closed_until = $1', [
        new Date(START - (START % HOUR_MS) - 2 * HOUR_MS),
      ]);
      return left(due, 'rollup_progress WHERE closed_until < $1', [new Date(END - (END % HOUR_MS))]);
    },
  },
  refresh_days: {
    at: '*',
    seed: async (due) =>
      left(due, 'workspace LEFT JOIN workspace_day ON workspace_id = id WHERE until IS NULL AND id = $1', [
        due.world.workspaceId,
      ]),
  },
  rebuild_series: {
    at: '/10',
    async seed(due) {
      // A page for each row, of which only the last stays: a small row could be put where an earlier page has room.
      await due.app.sql('ALTER TABLE series ALTER last_message SET STORAGE PLAIN');
      await due.app.sql('DELETE FROM series WHERE monitor_key < 0');
      // Without free pages the rows follow each other.
      await due.app.db.read((tx) => tx.query('VACUUM FULL series'));
      await due.app.sql(
        `INSERT INTO series (monitor_key, counts_from, kind, region, alert_after, recover_after, last_message)
         SELECT -number, 'infinity', 1, 1, 2, 1, repeat('x', 7900)
         FROM generate_series(1, 8500) AS number`,
      );
      await due.app.sql('DELETE FROM series WHERE monitor_key < 0 AND monitor_key > -8500');
      await due.app.db.read((tx) => tx.query('VACUUM ANALYZE series'));
      return left(due, `pg_class WHERE oid = 'series'::regclass AND pg_relation_size(oid) > 64 * 1024 ^ 2`, []);
    },
  },
  end_trials: {
    at: '*',
    async seed(due) {
      const { owner } = await makeWorld(due.app, 'Starter');
      await due.app.sql(
        `UPDATE user_account SET plan = 'Growth', trial_plan = 'Growth', trial_started = $2, trial_ends = $3,
           trial_fallback = 'Starter' WHERE id = $1`,
        [owner.userId, due.daysAgo(14), new Date(START)],
      );
      return left(due, `user_account WHERE id = $1 AND plan = 'Growth'`, [owner.userId]);
    },
  },
  send_due_reports: {
    at: '/10',
    async seed(due) {
      // It is six in the morning there.
      const timezone = 'Asia/Dubai';
      await due.app.sql('UPDATE workspace SET timezone = $2 WHERE id = $1', [due.world.workspaceId, timezone]);
      await create(due.world.api, `/api/v1/monitor/${due.monitorId}`, { reporting: { dailyReport: true } }, 'PUT');
      return left(due, `(SELECT 1 WHERE NOT EXISTS (SELECT FROM report_sent WHERE workspace_id = $1)) AS unsent`, [
        due.world.workspaceId,
      ]);
    },
  },
  pack_results: {
    at: '*',
    async seed(due) {
      await due.app.sql('INSERT INTO late_result (monitor_key, day) VALUES (1, $1)', [due.daysAgo(3_000)]);
      return left(due, 'late_result WHERE monitor_key = 1', []);
    },
  },
  make_result_partitions: {
    at: ':07',
    async seed(due) {
      const day = new Date(END + 7 * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
      await due.app.sql(`DROP TABLE IF EXISTS check_result_p${day}`);
      return left(due, '(SELECT 1 WHERE to_regclass($1) IS NULL) AS missing', [`check_result_p${day}`]);
    },
  },
  extend_maintenance_windows: {
    at: ':03',
    async seed(due) {
      const window = { name: 'Nightly', startsAt: '2027-03-10T02:00', duration: 'PT1H', recurrence: 'FREQ=DAILY' };
      const { id } = await create(due.world.api, '/api/v1/maintenance-windows', { ...window, scope: { all: true } });
      const storedUntil = new Date(END + 5 * DAY_MS);
      await due.app.sql('DELETE FROM maintenance_occurrence WHERE window_id = $1 AND starts >= $2', [id, storedUntil]);
      await due.app.sql('UPDATE maintenance_window SET stored_until = $2 WHERE id = $1', [id, storedUntil]);
      const last = new Date(END + 59 * DAY_MS);
      return left(
        due,
        '(SELECT 1 WHERE NOT EXISTS (SELECT FROM maintenance_occurrence WHERE window_id = $1 AND starts > $2)) AS missing',
        [id, last],
      );
    },
  },
  purge_pings: {
    at: ':41',
    async seed(due) {
      await due.app.sql('INSERT INTO ping (monitor_key, at, kind) VALUES (1, $1, 1)', [due.daysAgo(36)]);
      return left(due, 'ping WHERE at < $1', [due.daysAgo(35)]);
    },
  },
  query_domains: {
    at: '*',
    async seed(due) {
      await due.app.sql("INSERT INTO domain (name, next_query) VALUES ('forgotten.test', $1)", [due.daysAgo(1)]);
      return left(due, 'domain WHERE name = $1', ['forgotten.test']);
    },
  },
  purge_marks: {
    at: '03:53',
    async seed(due) {
      await due.app.sql(
        `INSERT INTO mark (id, workspace_id, at, text, tags, created) VALUES ($1, $2, $3, 'Deployed', '{}', $3)`,
        [randomUUID(), due.world.workspaceId, due.daysAgo(91)],
      );
      return left(due, 'mark WHERE at < $1', [due.daysAgo(90)]);
    },
  },
  mail_readiness: {
    at: '04:09',
    async seed(due) {
      const { id } = await create(due.world.api, '/api/v1/teams', { name: 'Night watch' });
      return left(due, 'team WHERE id = $1 AND readiness_mailed IS NULL', [id]);
    },
  },
  remind_of_shifts: {
    at: '*',
    async seed(due) {
      const id = await scheduleOf(due);
      return left(due, 'on_call_schedule WHERE id = $1 AND remind_at IS NULL', [id]);
    },
  },
  refresh_holidays: {
    at: '*',
    async seed(due) {
      const id = await scheduleOf(due);
      // An address that is refused, so that nobody is asked.
      await due.app.sql('UPDATE on_call_schedule SET holiday_calendar = $2, holidays_due = $3 WHERE id = $1', [
        id,
        JSON.stringify({ url: 'https://10.0.0.1/', fetchedAt: null, fault: null }),
        due.now,
      ]);
      return left(due, `on_call_schedule WHERE id = $1 AND holiday_calendar ->> 'fault' IS NULL`, [id]);
    },
  },
  settle_swaps: {
    at: '*',
    async seed(due) {
      const { id: teamId } = await create(due.world.api, '/api/v1/teams', { name: 'Night watch' });
      const userId = due.world.owner.userId;
      await create(due.world.api, `/api/v1/teams/${teamId}/members`, { userId });
      const path = `/api/v1/teams/${teamId}/schedules`;
      const layer = { name: 'Days', rotation: { unit: 'day' }, participants: [userId] };
      const { id: scheduleId } = await create(due.world.api, path, { name: 'Days', layers: [layer] });
      await due.app.sql(
        `INSERT INTO on_call_swap (id, workspace_id, team_id, schedule_id, user_id, state, shift_start, shift_end, created, last_modified)
         VALUES ($1, $2, $3, $4, $5, 'open', $6, $6::timestamptz + interval '1 day', $6, $6)`,
        [randomUUID(), due.world.workspaceId, teamId, scheduleId, userId, due.now],
      );
      return left(due, `on_call_swap WHERE schedule_id = $1 AND state = 'open'`, [scheduleId]);
    },
  },
  purge_idempotency_keys: {
    at: ':17',
    async seed(due) {
      const key = randomUUID();
      await due.app.sql(
        `INSERT INTO idempotency_key (principal_id, workspace_id, operation, key, fingerprint, owner, locked_until, expires)
         VALUES ($1, $1, 'createMonitor', $2, $3, $1, $4, $4)`,
        [randomUUID(), key, randomBytes(32), due.daysAgo(1)],
      );
      return left(due, 'idempotency_key WHERE key = $1', [key]);
    },
  },
  purge_ended_mcp_sessions: {
    at: ':23',
    async seed(due) {
      const id = randomUUID();
      await due.app.sql('INSERT INTO mcp_ended_session (id, expires) VALUES ($1, $2)', [id, due.daysAgo(1)]);
      return left(due, 'mcp_ended_session WHERE id = $1', [id]);
    },
  },
  purge_unconfirmed_subscribers: {
    at: ':23',
    async seed(due) {
      const slug = `timetable-${randomUUID().slice(0, 8)}`;
      const page = { name: 'Acme', slug, isPublished: true };
      const { id } = await create(due.world.api, '/api/v1/status-page', page);
      await create(due.app.anonymous, `/api/v1/public/status-page/${slug}/subscribers`, { email: 'ann@example.com' });
      await due.app.sql('UPDATE status_page_subscriber SET confirm_until = $1, asked_since = $1', [due.daysAgo(3)]);
      return left(due, 'status_page_subscriber WHERE page_id = $1', [id]);
    },
  },
  note_unasked_recipients: {
    at: ':03',
    async seed(due) {
      const { owner, api } = await makeWorld(due.app, 'Starter');
      const { id } = await create(api, '/api/v1/action-groups/email', { name: 'Mail', recipients: ['a@b.example'] });
      await due.app.sql('DELETE FROM alert_recipient WHERE owner_id = $1', [owner.userId]);
      return left(due, 'group_recipient WHERE group_id = $1 AND NOT is_known', [id]);
    },
  },
  purge_recipients: {
    at: '03:53',
    async seed(due) {
      const principal = randomBytes(32);
      await due.app.sql(`INSERT INTO daily_budget (principal, day, kind, spent) VALUES ($1, $2, 'mails', 1)`, [
        principal,
        due.daysAgo(3),
      ]);
      await due.app.sql(
        `INSERT INTO alert_recipient (id, owner_id, channel, address, address_key, created)
         VALUES (gen_random_uuid(), $1, 'email', 'a@b.example', 'a@b.example', $2)`,
        [due.world.owner.userId, due.daysAgo(31)],
      );
      return left(
        due,
        `(SELECT 1 WHERE EXISTS (SELECT FROM daily_budget WHERE principal = $1)
           OR EXISTS (SELECT FROM alert_recipient WHERE owner_id = $2 AND created = $3)) AS old`,
        [principal, due.world.owner.userId, due.daysAgo(31)],
      );
    },
  },
  forget_former_webhook_secrets: {
    at: ':27',
    async seed(due) {
      const { id } = await seedGroup(due.world, 'webhook', { name: 'Hook', url: 'https://hooks.example/' });
      await create(due.world.api, `/api/v1/action-groups/${id}/rotate-secret`);
      await due.app.sql('UPDATE action_group SET former_secret_until = $2 WHERE id = $1', [id, due.daysAgo(1)]);
      return left(due, 'action_group WHERE id = $1 AND former_secret IS NOT NULL', [id]);
    },
  },
  purge_page_links: {
    at: ':33',
    async seed(due) {
      const incidentId = await seedIncident(due.world, due.monitorId);
      await due.app.sql(
        'INSERT INTO acknowledge_link (hash, workspace_id, incident_id, user_id, expires) VALUES ($1, $2, $3, $4, $5)',
        [randomBytes(32), due.world.workspaceId, incidentId, due.world.owner.userId, due.daysAgo(1)],
      );
      return left(due, 'acknowledge_link WHERE incident_id = $1', [incidentId]);
    },
  },
  drop_expired_results: {
    at: '03:37',
    async seed(due) {
      await due.app.plane.partitions.ensureFor([due.daysAgo(60).getTime()]);
      const day = due.daysAgo(60).toISOString().slice(0, 10).replaceAll('-', '');
      return left(due, '(SELECT 1 WHERE to_regclass($1) IS NOT NULL) AS kept', [`check_result_p${day}`]);
    },
  },
  purge_audit: {
    at: '03:37',
    async seed(due) {
      const id = newId(due.daysAgo(401).getTime());
      await due.app.sql(
        `INSERT INTO audit_entry (id, workspace_id, at, action, actor_type, target_id, changes)
         VALUES ($1, $2, $3, 'monitor.updated', 'system', $1, '{}')`,
        [id, due.world.workspaceId, due.daysAgo(401)],
      );
      return left(due, 'audit_entry WHERE id = $1', [id]);
    },
  },
  drop_expired_hours: {
    at: '03:39',
    async seed(due) {
      await due.app.sql(
        `INSERT INTO check_rollup (monitor_key, starts_at, total_us, dns_us, connect_us, tls_us, first_byte_us,
           transfer_us, up, down, inconclusive, min_us, max_us, kind, region, spans, histogram)
         VALUES (1, $1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, '', '')`,
        [new Date(Math.floor(due.daysAgo(3_000).getTime() / HOUR_MS) * HOUR_MS)],
      );
      return left(due, 'check_rollup WHERE monitor_key = 1', []);
    },
  },
  purge_deleted_service_groups: {
    at: '03:43',
    async seed(due) {
      const { id } = await create(due.world.api, '/api/v1/service-group', { name: 'Old' });
      await create(due.world.api, `/api/v1/service-group/${id}`, undefined, 'DELETE');
      await due.app.sql('UPDATE service_group SET purge_at = $2 WHERE id = $1', [id, due.daysAgo(1)]);
      return left(due, 'service_group WHERE id = $1', [id]);
    },
  },
  purge_deleted_monitors: {
    at: '03:47',
    async seed(due) {
      const { id } = await seedMonitor(due.world);
      await create(due.world.api, `/api/v1/monitor/${id}`, undefined, 'DELETE');
      await due.app.sql('UPDATE monitor SET deleted_at = $2 WHERE id = $1', [id, due.daysAgo(8)]);
      return left(due, 'monitor WHERE id = $1', [id]);
    },
  },
  purge_expired_api_keys: {
    at: '03:51',
    async seed(due) {
      const { id } = await create(due.world.api, '/api/v1/api-keys', { name: 'CI', scopes: ['monitor.read'] });
      await due.app.sql('UPDATE api_key SET expires_at = $2 WHERE id = $1', [id, due.daysAgo(31)]);
      return left(due, 'api_key WHERE id = $1', [id]);
    },
  },
  purge_console_sessions: {
    at: ':33',
    async seed(due) {
      const id = randomUUID();
      await due.app.sql(
        `INSERT INTO console_session (id, user_id, token_hash, created, last_seen, expires) VALUES ($1, $2, $3, $4, $4, $4)`,
        [id, due.world.owner.userId, randomBytes(32), due.daysAgo(31)],
      );
      return left(due, 'console_session WHERE id = $1', [id]);
    },
  },
  purge_events: {
    at: '*',
    async seed(due) {
      const object = randomUUID();
      await due.app.sql(
        `INSERT INTO workspace_event (workspace_id, kind, object_id, at)
         VALUES ($1, 'monitor', $2, clock_timestamp() - interval '1 day')`,
        [due.world.workspaceId, object],
      );
      return left(due, 'workspace_event WHERE object_id = $1', [object]);
    },
  },
  purge_invitations: {
    at: '03:57',
    async seed(due) {
      const path = `/api/v1/workspaces/${due.world.workspaceId}/invitations`;
      const { id } = await create(due.world.api, path, { email: 'bob@example.com', role: 'Viewer' });
      await create(due.world.api, `${path}/${id}`, undefined, 'DELETE');
      await due.app.sql('UPDATE invitation SET last_modified = $2, expires_at = $2, created = $2 WHERE id = $1', [
        id,
        due.daysAgo(100),
      ]);
      return left(due, 'invitation WHERE id = $1', [id]);
    },
  },
  purge_deliveries: {
    at: '04:13',
    async seed(due) {
      const to = `${randomUUID()}@example.com`;
      const mail = { to, subject: 'Old', text: 'Old.', html: 'Old.' };
      await due.app.db.transaction((tx) => enqueueMail(due.app, tx, due.world.workspaceId, mail));
      await due.app.sql(`UPDATE outgoing_mail SET state = 'delivered', created = $2 WHERE recipient = $1`, [
        to,
        due.daysAgo(31),
      ]);
      return left(due, 'outgoing_mail WHERE recipient = $1', [to]);
    },
  },
  purge_service_calls: {
    at: ':47',
    async seed(due) {
      const url = 'https://hooks.slack.com/services/T0/B0/abcdefghijkl';
      const { id } = await create(due.world.api, '/api/v1/action-groups/slack', { name: 'Chat', webhookUrl: url });
      await due.app.sql('INSERT INTO service_call (group_id, digest, at) VALUES ($1, $2, $3)', [
        id,
        randomBytes(32),
        due.daysAgo(30),
      ]);
      return left(due, 'service_call WHERE group_id = $1', [id]);
    },
  },
  purge_trust_records: {
    at: '04:33',
    async seed(due) {
      const id = newId(due.daysAgo(3_000).getTime());
      await due.app.sql(
        `INSERT INTO operator_notice (id, created, kind, region, message, detail)
         VALUES ($1, $2, 'region_suspect', 'northeurope', 'Suspect.', '{}')`,
        [id, due.daysAgo(3_000)],
      );
      return left(due, 'operator_notice WHERE id = $1', [id]);
    },
  },
};

/** The moments after `fromMs` and until `toMs` at which a row is due. */
function moments(at: string, fromMs: number, toMs: number): string[] {
  const due: string[] = [];
  for (let ms = Math.floor(fromMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS; ms <= toMs; ms += MINUTE_MS) {
    const clock = new Date(ms).toISOString().slice(11, 16);
    if (at === '*' || clock.endsWith(at) || (at === '/10' && clock.endsWith('0'))) due.push(new Date(ms).toISOString());
  }
  return due;
}

const EVERY_MINUTE: RecurringJob = { name: 'purge_events', cron: '* * * * *', run: () => Promise.resolve() };
/** After everything else that the tests have run. */
const AGAIN = Math.ceil(BACK / MINUTE_MS) * MINUTE_MS + HOUR_MS;

describe('The timetable of the service', () => {
  const app = appForSuite();
  let runner: JobRunner | undefined;
  let ran: { job: string; due: string; isLate: boolean }[] = [];
  const logger = pino(
    { level: 'debug' },
    {
      write(line: string) {
        const { msg, job, due, isLate } = JSON.parse(line) as Record<string, unknown>;
        // What falls due during a run is done by it.
        if (msg === 'recurring job ran' || msg === 'recurring job still runs')
          ran.push({ job, due, isLate } as (typeof ran)[number]);
      },
    },
  );

  before(async () => {
    app.clock.set(START);
    await app.plane.partitions.makeAhead();
  });
  afterEach(async () => {
    mock.timers.reset();
    await runner?.stop();
  });

  const goTo = (ms: number) => {
    app.clock.set(ms);
    mock.timers.setTime(ms);
  };
  const start = (jobs: readonly RecurringJob[] = app.plane.jobs) => {
    ran = [];
    runner = startJobRunner({
      hosts: app.db.hosts,
      jobs,
      logger,
      registry: new Registry(),
      // These tests move the clock by days.
      requireRightClock: () => Promise.resolve(),
    });
  };
  const isKnown = () =>
    eventually('the runner knows its jobs', async () => {
      const rows = await app.sql('SELECT FROM jobs._private_known_crontabs');
      return rows.length === app.plane.jobs.length || undefined;
    });
  const dueTimes = (job: string) =>
    ran
      .filter((run) => run.job === job)
      .map(({ due }) => due)
      .toSorted();
  async function seedAll(): Promise<Map<string, () => Promise<number>>> {
    const world = await makeWorld(app);
    const now = new Date(app.clock.now());
    const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
    const checks = new Map<string, () => Promise<number>>();
    for (const [name, { seed }] of Object.entries(TIMETABLE)) {
      const { id: monitorId } = await seedMonitor(world);
      await app.sql('UPDATE monitor SET created = $2 WHERE id = $1', [monitorId, daysAgo(30)]);
      checks.set(name, await seed({ app, world, monitorId, now, daysAgo }));
      expect(await checks.get(name)!(), `${name} has something to do`).to.equal(1);
    }
    return checks;
  }

  it('runs every job at each of its times, and each does what it is for', async () => {
    expect(app.plane.jobs.map(({ name }) => name).toSorted()).to.deep.equal(Object.keys(TIMETABLE).toSorted());
    const checks = await seedAll();
    mock.timers.enable({ apis: ['Date'], now: START });
    start();
    await isKnown();
    goTo(END);
    const expected = Object.values(TIMETABLE).reduce((sum, { at }) => sum + moments(at, START, END).length, 0);
    await eventually('all that was due has run', () => ran.length >= expected || undefined);
    for (const [name, { at }] of Object.entries(TIMETABLE)) {
      expect(dueTimes(name), name).to.deep.equal(moments(at, START, END));
      expect(await checks.get(name)!(), `${name} has done it`).to.equal(0);
    }
  });

  it('runs what fell due while the service was off once when it is back, and not again', async () => {
    app.clock.set(END);
    mock.timers.enable({ apis: ['Date'], now: END });
    start();
    await isKnown();
    await runner!.stop();
    const checks = await seedAll();
    await app.sql('UPDATE rollup_progress SET closed_until = $1', [new Date(BACK - (BACK % HOUR_MS) - 2 * HOUR_MS)]);
    goTo(BACK);
    start();
    const jobs = Object.keys(TIMETABLE);
    await eventually('each has run', () => ran.length >= jobs.length || undefined);
    await runner!.stop();
    for (const [name, { at }] of Object.entries(TIMETABLE)) {
      expect(dueTimes(name), name).to.deep.equal(moments(at, END, BACK).slice(-1));
      expect(await checks.get(name)!(), `${name} has done it`).to.equal(0);
    }
    expect(ran.every(({ isLate }) => isLate)).to.equal(true);
    // Another process, or the same one after a restart a moment later.
    const nextMinute = Math.ceil(BACK / MINUTE_MS) * MINUTE_MS;
    mock.timers.setTime(nextMinute - 300);
    start();
    goTo(nextMinute + 1_000);
    const everyMinute = jobs.filter((name) => TIMETABLE[name]!.at === '*');
    await eventually('the next minute has come', () => ran.length >= everyMinute.length || undefined);
    expect(ran.map(({ job, due }) => `${job} ${due}`)).to.have.members(
      everyMinute.map((name) => `${name} ${new Date(nextMinute).toISOString()}`),
    );
  });

  const goesOn = async (nextMinute: number, turnBack: (back: () => void) => Promise<void>) => {
    const hasRun = () => eventually('it has run', () => ran.length > 0 || undefined);
    mock.timers.enable({ apis: ['Date'], now: nextMinute + 20 * DAY_MS + 10_000 });
    start([EVERY_MINUTE]);
    await hasRun();
    await turnBack(() => goTo(nextMinute - 300));
    const hasTurnedBack = async () =>
      (await app.sql('SELECT FROM jobs._private_known_crontabs WHERE last_execution > $1', [new Date(nextMinute)]))
        .length === 0 || undefined;
    await eventually('runs in the future are forgotten', hasTurnedBack);
    ran = [];
    goTo(nextMinute + 1_000);
    await hasRun();
    expect(ran.map(({ due }) => due)).to.deep.equal([new Date(nextMinute).toISOString()]);
  };
  it('goes on at once when a process starts whose clock was days ahead', () =>
    goesOn(AGAIN, async (back) => {
      await runner!.stop();
      back();
      start([EVERY_MINUTE]);
    }));

  it('goes on at once after the clock of a running process was days ahead', () =>
    goesOn(AGAIN + HOUR_MS, (back) => Promise.resolve(back())));

  it('runs a job that outlasts its times once at a time, and others meanwhile', async () => {
    const begun: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const job = (name: string, run: () => Promise<void>): RecurringJob => ({ name, cron: '0 0 1 1 *', run });
    const slow = (name: string) =>
      job(name, async () => {
        begun.push(name);
        await released;
      });
    const fallDue = (name: string) => app.sql('SELECT jobs.add_job($1)', [name]);
    const times = (name: string) => ran.filter((run) => run.job === name).length;
    start([slow('long'), slow('longer'), job('short', () => Promise.resolve())]);
    try {
      await eventually('one is added', () => fallDue('long').catch(() => undefined));
      for (const count of [1, 2, 3]) {
        for (const name of ['long', 'longer', 'short']) await fallDue(name);
        await eventually('the short one runs', () => times('short') === count || undefined);
      }
      await eventually('all have begun', () => begun.includes('longer') || undefined);
      expect(begun.toSorted()).to.deep.equal(['long', 'longer']);
    } finally {
      release();
    }
    await fallDue('long');
    await eventually('it runs again', () => begun.length > 2 || undefined);
  });

  it('signals a running job that the process stops, and waits for its end', async () => {
    let state = 'waiting';
    const run: RecurringJob['run'] = async (signal) => {
      state = 'running';
      await once(signal!, 'abort');
      state = 'ending';
      await new Promise((resolve) => setTimeout(resolve, 50));
      state = 'ended';
    };
    start([{ ...EVERY_MINUTE, run }]);
    const add = () => app.sql(`SELECT jobs.add_job('${EVERY_MINUTE.name}')`);
    await eventually('it is added', () => add().catch(() => undefined));
    await eventually('it runs', () => state === 'running' || undefined);
    await runner!.stop();
    expect(state).to.equal('ended');
  });
});
