import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../db/database.js';
import { tombstoneStore } from './monitor-store.js';

/** How long a deleted monitor is remembered. An agent that was away for longer gets a whole snapshot. */
export const TOMBSTONE_MS = 7 * 86_400_000;
const BATCH = 1_000;

/** Forgets monitors that were deleted more than seven days ago. @returns how many */
export async function purgeMonitors(deps: { db: Database; clock: Clock }): Promise<number> {
  const before = new Date(deps.clock.now() - TOMBSTONE_MS);
  let total = 0;
  for (;;) {
    const purged = await deps.db.transaction((tx) => tombstoneStore.purge(tx, before, BATCH));
    total += purged;
    if (purged < BATCH) return total;
  }
}
