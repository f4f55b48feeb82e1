import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import pino from 'pino';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { describeSchema } from '@watchpost/control-plane/platform/db/describe-schema';
import { migrate } from '@watchpost/control-plane/platform/db/migrate';
import { migrations } from '@watchpost/control-plane/app/schema';
import { createBlankDatabase, createTestDatabase, type TestDatabase } from '../../support/database.js';

const logger = pino({ level: 'silent' });

const FOLDER = new URL('./migrations/', import.meta.resolve('@watchpost/control-plane/platform/db/migrate'));

/** What a statement reads of rows that were stored after the first `count` migrations, once all have run. */
async function upgrade(count: number, seed: string, read: string): Promise<object[]> {
  const blank = await createBlankDatabase();
  const open = (some: typeof migrations) =>
    Database.open({ url: blank.url, poolSize: 2, entities: [], migrations: some, logger });
  const [old, database] = [await open(migrations.slice(0, count)), await open(migrations)];
  try {
    await migrate(old, logger);
    await old.transaction((tx) => tx.query(seed));
    await migrate(database, logger);
    return await database.read((tx) => tx.query(read));
  } finally {
    await Promise.all([old.close(), database.close()]);
    await blank.drop();
  }
}

describe('Migrations', () => {
  it('are listed in the order of their files, each file once', async () => {
    const files = (await readdir(FOLDER)).filter((name) => /^\d{4}-.*\.js$/.test(name)).toSorted();
    const classes = await Promise.all(
      files.map(async (file) => Object.values((await import(new URL(file, FOLDER).href)) as object)),
    );
    expect(migrations, 'run "npm run generate"').to.deep.equal(classes.flat());
    const timestamps = migrations.map(({ name }) => Number(name.slice(-13)));
    expect(timestamps, 'the timestamps in their names').to.deep.equal(timestamps.toSorted((a, b) => a - b));
  });

  it('create the schema from nothing once, when several processes start at the same time', async () => {
    const blank = await createBlankDatabase();
    const open = () => Database.open({ url: blank.url, poolSize: 2, entities: [], migrations, logger });
    const processes = await Promise.all([open(), open(), open()]);
    try {
      const applied = await Promise.all(processes.map((database) => migrate(database, logger)));
      expect(applied.flat()).to.have.members(migrations.map((migration) => migration.name));
      expect(await migrate(processes[0], logger), 'a second start applies nothing').to.deep.equal([]);
    } finally {
      await Promise.all(processes.map((database) => database.close()));
      await blank.drop();
    }
  });

  it('refuse a database of a version that was never released, and change nothing in it', async () => {
    const blank = await createBlankDatabase();
    const database = await Database.open({ url: blank.url, poolSize: 2, entities: [], migrations, logger });
    const query = (sql: string) => database.transaction((tx) => tx.query(sql));
    try {
      await query(`CREATE TABLE schema_migration (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
        INSERT INTO schema_migration (timestamp, name) VALUES (1763700000001, 'Accounts1763700000001');
        CREATE TABLE user_account (id uuid PRIMARY KEY)`);
      let refusal: unknown;
      await migrate(database, logger).catch((error: unknown) => (refusal = error));
      expect((refusal as Error).message)
        .to.contain('Accounts1763700000001')
        .and.to.contain('drop this one and create it again');
      expect(await query('SELECT name FROM schema_migration')).to.deep.equal([{ name: 'Accounts1763700000001' }]);
    } finally {
      await database.close();
      await blank.drop();
    }
  });

  it('give earlier incidents the worst severity that is known of them', async () => {
    const known = await upgrade(
      7,
      `INSERT INTO user_account (id, issuer, subject, created, last_modified)
            VALUES (gen_random_uuid(), 'https://issuer.example', 'ann', now(), now());
          INSERT INTO workspace (id, name, owner_id, created, last_modified)
            SELECT gen_random_uuid(), 'Acme', id, now(), now() FROM user_account;
          INSERT INTO incident (id, workspace_id, monitor_key, monitor_id, monitor_name, incident_type, severity, failure_reason,
            started, created, last_modified)
            SELECT gen_random_uuid(), id, number, gen_random_uuid(), kind, 'Availability', 'partial', '', now(), now(), now()
            FROM workspace, unnest(ARRAY['opened down', 'became down', 'partial']) WITH ORDINALITY AS one (kind, number);
          INSERT INTO incident_event (workspace_id, incident_id, at, type, detail)
            SELECT workspace_id, id, now(), 'opened',
              jsonb_build_object('severity', CASE monitor_name WHEN 'opened down' THEN 'down' ELSE 'partial' END) FROM incident;
          INSERT INTO alert_event (id, workspace_id, incident_id, type, at, subject)
            SELECT gen_random_uuid(), workspace_id, id, 'incident.updated', now(), '{"incident":{"severity":"down"}}'
            FROM incident WHERE monitor_name = 'became down'`,
      'SELECT monitor_name, worst_severity FROM incident ORDER BY monitor_key',
    );
    expect(known).to.deep.equal([
      { monitor_name: 'opened down', worst_severity: 'down' },
      { monitor_name: 'became down', worst_severity: 'down' },
      { monitor_name: 'partial', worst_severity: null },
    ]);
  });

  it('replace short names of time zones by their regions, wherever a zone is stored', async () => {
    const zones = await upgrade(
      migrations.findIndex(({ name }) => name.startsWith('RegionsOfShortZones')),
      `INSERT INTO user_account (id, issuer, subject, created, last_modified)
            VALUES (gen_random_uuid(), 'https://issuer.example', 'ann', now(), now());
          INSERT INTO workspace (id, name, owner_id, timezone, created, last_modified)
            SELECT gen_random_uuid(), zone, id, zone, now(), now()
            FROM user_account, unnest(ARRAY['ist', 'Europe/Dublin', 'VST']) AS zone;
          INSERT INTO workspace_member (id, workspace_id, user_id, role, notification_preferences, joined, last_used)
            SELECT gen_random_uuid(), id, owner_id, 'Owner', jsonb_build_object('email', true, 'quietHours',
              jsonb_build_object('start', '22:00', 'end', '07:00', 'timezone', timezone)), now(), now() FROM workspace;
          INSERT INTO monitor (id, workspace_id, name, monitor_types, check_interval_ms, check_timeout_ms, checks_before_alert,
            checks_before_recovery, reporting, http, ssl, latency, dns, tcp_udp, created, last_modified, checks_changed, heartbeat)
            SELECT gen_random_uuid(), id, 'Backup', '{Heartbeat}', 60000, 1000, 1, 1, '{}', '{}', '{}', '{}', '{}', '{}', now(), now(),
              now(), jsonb_build_object('cron', '0 4 * * *', 'timezone', timezone) FROM workspace;
          INSERT INTO maintenance_window (id, workspace_id, name, description, starts_at, timezone, duration_ms, monitor_ids,
            service_group_ids, tags, covers_all, pauses_checks, status_page_ids, notify_subscribers, created, last_modified)
            SELECT gen_random_uuid(), id, 'Deploy', '', '2027-01-01T00:00', timezone, 60000, '{}', '{}', '{}', true, false, '{}', false,
              now(), now() FROM workspace;
          INSERT INTO team (id, workspace_id, name, created, last_modified)
            SELECT gen_random_uuid(), id, 'Web', now(), now() FROM workspace;
          INSERT INTO on_call_schedule (team_id, workspace_id, rotation, timezone, handoff_time, start_date, turns, created, last_modified)
            SELECT team.id, workspace_id, 'daily', timezone, '09:00', now(), 1, now(), now()
            FROM team JOIN workspace ON workspace.id = workspace_id`,
      `SELECT DISTINCT workspace.name, workspace.timezone, quiet.notification_preferences AS preferences,
            monitor.heartbeat, planned.timezone AS "ofWindow", schedule.timezone AS "ofSchedule"
          FROM workspace JOIN workspace_member quiet ON quiet.workspace_id = workspace.id
            JOIN monitor ON monitor.workspace_id = workspace.id
            JOIN maintenance_window planned ON planned.workspace_id = workspace.id
            JOIN on_call_schedule schedule ON schedule.workspace_id = workspace.id ORDER BY workspace.name`,
    );
    expect(zones).to.deep.equal(
      [
        ['Europe/Dublin', 'Europe/Dublin'],
        ['VST', 'Asia/Ho_Chi_Minh'],
        ['ist', 'Asia/Kolkata'],
      ].map(([name, timezone]) => ({
        name,
        timezone,
        preferences: { email: true, quietHours: { start: '22:00', end: '07:00', timezone } },
        heartbeat: { cron: '0 4 * * *', timezone },
        ofWindow: timezone,
        ofSchedule: timezone,
      })),
    );
  });

  it('let monitors with the former default judge certificates by their lifetime, and keep other days', async () => {
    const ssl = await upgrade(
      migrations.findIndex(({ name }) => name.startsWith('LifetimesOfCertificates')),
      `INSERT INTO user_account (id, issuer, subject, created, last_modified)
            VALUES (gen_random_uuid(), 'https://issuer.example', 'ann', now(), now());
          INSERT INTO workspace (id, name, owner_id, timezone, created, last_modified)
            SELECT gen_random_uuid(), 'Shop', id, 'UTC', now(), now() FROM user_account;
          INSERT INTO monitor (id, workspace_id, name, monitor_types, check_interval_ms, check_timeout_ms, checks_before_alert,
            checks_before_recovery, reporting, http, ssl, latency, dns, tcp_udp, created, last_modified, checks_changed)
            SELECT gen_random_uuid(), id, 'Shop', '{SslCertificate}', 60000, 1000, 1, 1, '{}', '{}',
              jsonb_build_object('incidentDays', days, 'expiryThresholdDays', '[7]'::jsonb), '{}', '{}', '{}', now(), now(), now()
            FROM workspace, unnest(ARRAY[0, 7, 14]) AS days, generate_series(1, 700)`,
      "SELECT settings -> 'ssl' AS ssl, count(*)::integer AS monitors FROM monitor GROUP BY 1 ORDER BY 1",
    );
    expect(ssl).to.have.deep.members(
      [null, 0, 14].map((incidentDays) => ({ ssl: { incidentDays, expiryThresholdDays: [7] }, monitors: 700 })),
    );
  });

  it('make the schema that docs/schema.sql shows', async () => {
    const { database, drop } = await createTestDatabase();
    try {
      const documented = await readFile(new URL('../../../../docs/schema.sql', import.meta.url), 'utf8');
      expect(documented.endsWith(await describeSchema(database)), 'run "npm run generate"').to.equal(true);
    } finally {
      await drop();
    }
  });
});

describe('Test databases', () => {
  it('are created in parallel and are isolated from each other', async () => {
    const made: TestDatabase[] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    try {
      const [one, other] = made as [TestDatabase, TestDatabase];
      await one.database.transaction((tx) => tx.query('CREATE TABLE mine (id int)'));
      const [row] = await other.database.read((tx) =>
        tx.query<{ found: string | null }>(`SELECT to_regclass('mine') AS found`),
      );
      expect(row).to.deep.equal({ found: null });
    } finally {
      await Promise.all(made.map((database) => database.drop()));
    }
  });
});
