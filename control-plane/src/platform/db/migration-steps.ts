import type { QueryRunner } from 'typeorm';
import { pause } from '@watchpost/shared/retry';
import { isLockConflict } from './database-error.js';
import type { ClientBase } from 'pg';
import { txOf, type Tx } from './tx.js';

/**
 * Builds an index while the table is read and written, in a migration outside a transaction. A valid index of this name is
 * kept, and the invalid one that an interrupted build leaves is replaced.
 * @param on what follows the name in `CREATE INDEX`: `monitor (created)`, with `WHERE` if it is partial
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  { name, on, isUnique = false }: { name: string; on: string; isUnique?: boolean },
): Promise<void> {
  await withoutLockTimeout(runner, async () => {
    const [found] = (await runner.query(
      'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)',
      [name],
    )) as { isValid: boolean }[];
    if (found?.isValid) return;
    if (found) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await runner.query(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${on}`);
  });
}

/** Drops an index, if it is there, without stopping reads and writes, in a migration outside a transaction. */
export async function dropIndexConcurrently(runner: QueryRunner, name: string): Promise<void> {
  await withoutLockTimeout(runner, () => runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
}

/**
 * Changes many rows in transactions of their own, in a migration outside a transaction.
 * @param step changes the next rows, some thousands at most, and returns how many; 0 ends the batches
 */
export async function inBatches(runner: QueryRunner, step: (tx: Tx) => Promise<number>): Promise<void> {
  for (let changed = 1; changed > 0;) {
    const startedAt = performance.now();
    await runner.startTransaction();
    try {
      changed = await step(txOf((await runner.connect()) as ClientBase, runner.manager));
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction().catch(() => {});
      if (!isLockConflict(error)) throw error;
    }
    // Leaves the database time for everything else.
    if (changed > 0) await pause((performance.now() - startedAt) / 2);
  }
}

/** Concurrent statements wait for all transactions that began before them, and let others pass meanwhile. */
async function withoutLockTimeout(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  const [{ before }] = (await runner.query(`SELECT current_setting('lock_timeout') AS before`)) as [{ before: string }];
  await runner.query('SET lock_timeout = 0');
  try {
    await work();
  } finally {
    await runner.query(`SET lock_timeout = '${before}'`);
  }
}
