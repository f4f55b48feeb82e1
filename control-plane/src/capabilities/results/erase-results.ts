import type { Database } from '../../platform/db/database.js';
import { erasedResultStore } from './erased-result-store.js';

/** Rows a transaction. */
const PORTION = 10_000;

/**
 * Erases everything that results keep of these monitors: checks, evidence, rollups, verdicts. In portions, because a
 * monitor may have millions of results; what was cut off goes on the next time.
 */
export async function eraseResults({ db }: { db: Database }, monitorKeys: readonly number[]): Promise<void> {
  if (monitorKeys.length === 0) return;
  for (const part of await db.read((tx) => erasedResultStore.parts(tx)))
    while ((await db.transaction((tx) => erasedResultStore.erase(tx, part, monitorKeys, PORTION))) === PORTION);
}
