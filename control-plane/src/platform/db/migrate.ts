import { MigrationExecutor } from 'typeorm';
import type { Logger } from 'pino';
import type { Database } from './database.js';

/** Any number will do, as long as it never changes. */
const LOCK_KEY = 7_761_000;
/** A process that waits behind another one's migrations gives up after this. */
const LOCK_TIMEOUT = '10min';

/**
 * Applies the migrations that have not run yet, each in its own transaction. Of several processes that start
 * together one does it and the others wait for it, on a session lock that goes with its connection.
 * @returns the names of those applied now
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
