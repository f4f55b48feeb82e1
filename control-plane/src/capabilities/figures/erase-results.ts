import type { Database } from '../../platform/db/database.js';
import { erasedResultStore } from './erased-result-store.js';

/** Rows per transaction. */
const BATCH = 10_000;

/**
 * Erases everything that results store of these monitors: checks, evidence, rollups, verdicts. In batches, because a
 * monitor may have millions of results; an interrupted call is continued by the next one.
 * @throws Error where the signal is aborted before everything is erased
 */
export async function eraseResults(
  { db }: { db: Database },
  monitorKeys: readonly number[],
  signal?: AbortSignal,
): Promise<void> {
  if (monitorKeys.length === 0) return;
  for (const part of await db.read((tx) => erasedResultStore.parts(tx)))
    while ((await db.transaction((tx) => erasedResultStore.erase(tx, part, monitorKeys, BATCH))) === BATCH)
      if (signal?.aborted) throw new Error('The process stops; the next run erases the rest.');
}
