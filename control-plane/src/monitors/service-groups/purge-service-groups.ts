import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../db/database.js';
import { purgeStore } from './purge-store.js';

const BATCH = 100;

/** Forgets groups that were deleted 90 days ago, with the monitors that went with them. @returns how many groups */
export async function purgeServiceGroups(deps: { db: Database; clock: Clock }): Promise<number> {
  const now = new Date(deps.clock.now());
  let total = 0;
  for (;;) {
    const purged = await deps.db.transaction((tx) => purgeStore.purge(tx, now, BATCH));
    total += purged;
    if (purged < BATCH) return total;
  }
}
