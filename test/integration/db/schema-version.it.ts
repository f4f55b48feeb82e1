import { expect } from 'chai';
import pino from 'pino';
import { VERSION } from '@watchpost/shared/build';
import { watchSchema } from '@watchpost/control-plane/app/watch-schema';
import { holdProcessPlace } from '@watchpost/control-plane/platform/coordination/process-guard';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { awaitMigrations, migrate, type MigrateOptions } from '@watchpost/control-plane/platform/db/migrate';
import type { Migration } from '@watchpost/control-plane/platform/db/migration';
import { createIndexConcurrently, inBatches } from '@watchpost/control-plane/platform/db/migration-steps';
import { migrations } from '@watchpost/control-plane/app/schema';
import { readSchemaState, type SchemaError } from '@watchpost/control-plane/platform/db/schema-version';
import { Registry } from 'prom-client';
import { runAdminCommand } from '../../support/admin-command.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

type QueryRunner = Parameters<Migration['up']>[0];

function planted(
  number: number,
  up: (runner: QueryRunner) => Promise<unknown>,
  more: Partial<Migration> = {},
): new () => Migration {
  const name = `Planted19000000000${String(number).padStart(2, '0')}`;
  const made = class implements Migration {
    readonly name = name;
    constructor() {
      Object.assign(this, more);
    }
    async up(runner: QueryRunner): Promise<void> {
      await up(runner);
    }
    async down(): Promise<void> {}
  };
  return Object.defineProperty(made, 'name', { value: name });
}

describe('The schema version', () => {
  let test: TestDatabase;
  const open: Database[] = [];
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
    await test.drop();
  });

  const logger = pino({ level: 'silent' });
  const programWith = async (more: (new () => Migration)[], own: readonly (new () => Migration)[] = migrations) => {
    const all = [...own, ...more];
    const database = await Database.open({ url: test.url, poolSize: 2, entities: [], migrations: all, logger });
    open.push(database);
    return database;
  };
  const query = (sql: string) => test.sql(sql);
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: SchemaError) => error,
    );
  const quick: MigrateOptions = { lockTimeoutMs: 50, drainMs: 300, patienceMs: 300 };

  it('is the number of migrations, of a database and of a program', async () => {
    expect(await test.database.read(readSchemaState)).to.deep.equal({
      version: migrations.length,
      readableFrom: 1,
      program: VERSION,
    });
    const numbers = migrations.map(({ name }) => Number(name.slice(-4)));
    expect(numbers, 'the numbers of the migrations').to.deep.equal(migrations.map((_, index) => index + 1));
  });

  it('is brought up to date by an operator’s command, from an empty database and again', async () => {
    await query('DROP SCHEMA public CASCADE; DROP SCHEMA IF EXISTS graphile_worker CASCADE; CREATE SCHEMA public');
    const answer = () => runAdminCommand(['migrate'], { DATABASE_URL: test.url });
    expect((await answer()).trim().split('\n')).to.deep.equal(migrations.map(({ name }) => `applied: ${name}`));
    expect((await test.database.read(readSchemaState)).version).to.equal(migrations.length);
    expect(await answer()).to.equal('The database is up to date.\n');
  });

  it('lets a statement on the table through while a migration waits for a lock', async () => {
    await query('CREATE TABLE busy (id int)');
    const add = planted(1, (runner) => runner.query('ALTER TABLE busy ADD COLUMN more int'));
    const program = await programWith([add]);
    const attempts: number[] = [];
    const heard = pino({ level: 'warn' }, { write: (line) => void attempts.push(JSON.parse(line).attempt) });
    let applied: Promise<string[]> | undefined;
    await test.database.transaction(async (tx) => {
      await tx.query('SELECT * FROM busy');
      applied = migrate(program, heard, quick);
      await eventually('it has tried twice', async () => (attempts.includes(2) ? true : undefined));
      // Would wait as long as this transaction, if the migration kept waiting for it.
      await query('SELECT * FROM busy');
    });
    expect(await applied).to.deep.equal([add.name]);
  });

  it('builds an index beside transactions and waiting processes, and replaces one that is invalid', async () => {
    await query('CREATE TABLE listed (name text); INSERT INTO listed VALUES (1), (1)');
    const index = { name: 'listed_name_key', on: 'listed (name)', isUnique: true };
    const build = planted(1, (runner) => createIndexConcurrently(runner, index), { transaction: false });
    const program = await programWith([build]);
    expect(await refusalOf(migrate(program, logger, quick)))
      .to.have.property('message')
      .that.contains('unique index');
    const isValid = () =>
      query(`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'listed_name_key'::regclass`);
    expect(await isValid(), 'what the interrupted build leaves').to.deep.equal([{ valid: false }]);
    await query('DELETE FROM listed');
    const both = await Promise.all([migrate(program, logger), migrate(await programWith([build]), logger)]);
    expect(both.flat()).to.deep.equal([build.name]);
    expect(await isValid()).to.deep.equal([{ valid: true }]);
    expect((await readState(program)).version).to.equal(migrations.length + 1);
  });

  it('changes many rows in several transactions', async () => {
    await query('CREATE TABLE old (id int, new int); INSERT INTO old SELECT generate_series(1, 25)');
    const fill = planted(
      1,
      (runner) =>
        inBatches(runner, (tx) =>
          tx.execute('UPDATE old SET new = id WHERE id IN (SELECT id FROM old WHERE new IS NULL LIMIT 10)'),
        ),
      { transaction: false },
    );
    await migrate(await programWith([fill]), logger);
    expect(
      await query('SELECT count(*) AS rows, count(DISTINCT xmin::text) AS batches FROM old WHERE new = id'),
    ).to.deep.equal([{ rows: 25, batches: 3 }]);
  });

  it('may be later than that of a program until a migration contracts what the program uses', async () => {
    const expand = planted(1, (runner) => runner.query('CREATE TABLE later (id int)'));
    const contract = planted(2, (runner) => runner.query('DROP TABLE later'), {
      contracts: { unusedSince: expand.name },
    });
    const [former, middle, last] = [
      await programWith([]),
      await programWith([expand]),
      await programWith([expand, contract]),
    ];
    await migrate(middle, logger);
    expect(await migrate(former, logger), 'a program without the migration starts').to.deep.equal([]);
    await migrate(last, logger, { ...quick, program: '7.8.9' });
    expect(await readState(last)).to.deep.equal({
      version: migrations.length + 2,
      readableFrom: migrations.length + 1,
      program: '7.8.9',
    });
    expect(await migrate(middle, logger), 'a program that does not use it starts').to.deep.equal([]);
    for (const start of [migrate, awaitMigrations]) {
      const refusal = await refusalOf(start(former, logger));
      expect(refusal).to.have.property('name', 'SchemaError');
      expect(refusal?.message)
        .to.contain(`version ${migrations.length + 1} or later`)
        .and.to.match(/Start Watchpost 7\.8\.9, which upgraded the database, or a later version\.$/);
    }
  });

  it('does not contract before processes of former versions have stopped, which they notice', async () => {
    const unusedSince = planted(1, (runner) => runner.query('SELECT 1'));
    const contract = planted(2, (runner) => runner.query('CREATE TABLE contracted ()'), {
      contracts: { unusedSince: unusedSince.name },
    });
    const [former, next] = [await programWith([]), await programWith([unusedSince, contract])];
    const hold = (schemaVersion: number) =>
      holdProcessPlace({ hosts: former.hosts, place: 'shared', schemaVersion, logger, onUsurped() {} });
    const [old, current] = [await hold(migrations.length), await hold(migrations.length + 1)];
    let outdated: SchemaError | undefined;
    const watch = watchSchema({
      db: former,
      logger,
      registry: new Registry(),
      lookMs: 20,
      onOutdated: (error) => (outdated = error),
    });
    try {
      const refusal = await refusalOf(migrate(next, logger, quick));
      expect(refusal?.message).to.match(/Stop them, .*of schema version \d+ .*\(PostgreSQL backend \d+\)\.$/);
      expect((await readState(next)).version, 'only what expands').to.equal(migrations.length + 1);
      expect((await eventually('it notices', async () => outdated)).message).to.contain(
        `Start Watchpost ${VERSION}, which`,
      );
      const applied = migrate(next, logger);
      await old.release();
      expect(await applied).to.deep.equal([contract.name]);
    } finally {
      await watch.stop();
      await Promise.all([old.release(), current.release()]);
    }
  });

  it('is awaited by a process that does not migrate, and not for ever', async () => {
    const program = await programWith([planted(1, (runner) => runner.query('SELECT 1'))]);
    const refusal = await refusalOf(awaitMigrations(program, logger, quick));
    expect(refusal?.message).to.contain(
      `schema version ${migrations.length}, and this process needs ${migrations.length + 1}`,
    );
    const waiting = awaitMigrations(program, logger);
    await migrate(program, logger);
    await waiting;
  });

  const readState = (program: Database) => program.read(readSchemaState);
});
