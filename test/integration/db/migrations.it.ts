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
      await one.sql('CREATE TABLE mine (id int)');
      const [row] = await other.sql<{ found: string | null }>(`SELECT to_regclass('mine') AS found`);
      expect(row).to.deep.equal({ found: null });
    } finally {
      await Promise.all(made.map((database) => database.drop()));
    }
  });
});
