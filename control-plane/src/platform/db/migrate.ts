import { MigrationExecutor, type QueryRunner } from 'typeorm';
import type { Logger } from 'pino';
import type { Database } from './database.js';
import { baseline } from './migrations/index.js';

/** Arbitrary. All processes use the same one. */
const LOCK_KEY = 7_761_000;
/** The longest wait for another process that migrates. */
const LOCK_TIMEOUT = '10min';

/**
 * Applies the migrations that have not run yet, each in its own transaction. Of several processes that start
 * together one does it and the others wait for it, on a session lock that its connection holds.
 * @returns the names of those applied now
 * @throws Error where the database is of a version that was never released
 */
export async function migrate(database: Database, logger: Logger): Promise<string[]> {
  const runner = database.source.createQueryRunner();
  await runner.connect();
  try {
    // A migration of a big table runs longer than any request may.
    await runner.query(`SET statement_timeout = 0`);
    await runner.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
    await runner.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    try {
      await runner.query(`RESET lock_timeout`);
      await refuseUnreleasedSchema(database, runner);
      const executor = new MigrationExecutor(database.source, runner);
      executor.transaction = 'each';
      const names: string[] = [];
      for (const { name } of await executor.executePendingMigrations()) {
        logger.info({ migration: name }, 'migration applied');
        names.push(name);
      }
      return names;
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]);
    }
  } finally {
    await runner.query(`RESET statement_timeout; RESET lock_timeout`).catch(() => {});
    await runner.release();
  }
}

/** A database that has migrations, but not the baseline, was made by development versions before the first release. */
async function refuseUnreleasedSchema({ source }: Database, runner: QueryRunner): Promise<void> {
  const table = source.options.migrationsTableName!;
  if (!(await runner.hasTable(table))) return;
  const applied = (await runner.query(`SELECT name FROM ${table} ORDER BY id`)) as { name: string }[];
  if (applied.length === 0 || applied.some(({ name }) => name === baseline.name)) return;
  throw new Error(
    `The database was set up by a development version of Watchpost (${applied[0]!.name}), and there is no upgrade from it. ` +
      'Point DATABASE_URL to an empty database, or drop this one and create it again; ' +
      'without DATABASE_URL, move the folder DATA_DIR away. A new installation starts without the old data.',
  );
}
