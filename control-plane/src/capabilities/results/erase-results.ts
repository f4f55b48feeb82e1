import type { Database } from '../../platform/db/database.js';
import { erasedResultStore } from './erased-result-store.js';

/** Rows per transaction. */
const BATCH = 10_000;

/**
 * Erases everything that results store of these monitors: checks, evidence, rollups, verdicts. In batches, because a
 * monitor may have millions of results; an interrupted call is continued by the next one.
 * @throws Error where the process stops before everything is erased
 */
export async function eraseResults(
  { db, isStopping }: { db: Database; isStopping?: (() => boolean) | undefined },
  monitorKeys: readonly number[],
): Promise<void> {
  if (monitorKeys.length === 0) return;
  for (const part of await db.read((tx) => erasedResultStore.parts(tx)))
    while ((await db.transaction((tx) => erasedResultStore.erase(tx, part, monitorKeys, BATCH))) === BATCH)
      if (isStopping?.()) throw new Error('The process stops; the next run erases the rest.');
}
