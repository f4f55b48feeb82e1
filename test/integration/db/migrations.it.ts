import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import pino from 'pino';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { describeSchema } from '@watchpost/control-plane/platform/db/describe-schema';
import { migrate } from '@watchpost/control-plane/platform/db/migrate';
import { migrations } from '@watchpost/control-plane/platform/db/migrations/index';
import { createBlankDatabase, createTestDatabase, type TestDatabase } from '../../support/database.js';

const logger = pino({ level: 'silent' });

const FOLDER = new URL('./', import.meta.resolve('@watchpost/control-plane/platform/db/migrations/index'));

describe('Migrations', () => {
  it('are listed in the order of their files, each file once', async () => {
    const files = (await readdir(FOLDER)).filter((name) => /^\d{4}-.*\.js$/.test(name)).toSorted();
    const classes = await Promise.all(
      files.map(async (file) => Object.values((await import(new URL(file, FOLDER).href)) as object)),
    );
    expect(migrations, 'the list in migrations/index.ts').to.deep.equal(classes.flat());
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
    const blank = await createBlankDatabase();
    const before = migrations.slice(0, 7);
    const open = (some: typeof migrations) =>
      Database.open({ url: blank.url, poolSize: 2, entities: [], migrations: some, logger });
    const [old, database] = [await open(before), await open(migrations)];
    try {
      await migrate(old, logger);
      await old.transaction((tx) =>
        tx.query(`
          INSERT INTO user_account (id, issuer, subject, created, last_modified)
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
            FROM incident WHERE monitor_name = 'became down'`),
      );
      await migrate(database, logger);
      const known = await database.read((tx) =>
        tx.query('SELECT monitor_name, worst_severity FROM incident ORDER BY monitor_key'),
      );
      expect(known).to.deep.equal([
        { monitor_name: 'opened down', worst_severity: 'down' },
        { monitor_name: 'became down', worst_severity: 'down' },
        { monitor_name: 'partial', worst_severity: null },
      ]);
    } finally {
      await Promise.all([old.close(), database.close()]);
      await blank.drop();
    }
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
