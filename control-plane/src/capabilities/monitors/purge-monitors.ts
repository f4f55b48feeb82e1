import type { Clock } from '@watchpost/shared/clock';
import type { Transactions } from '../../platform/db/database.js';
import { tombstoneStore } from './monitor-store.js';

export interface PurgeDeps {
  db: Transactions;
  clock: Clock;
  /**
   * Erases the results of these monitors, in batches with a transaction each.
   * @throws Error where the signal is aborted before everything is erased
   */
  eraseResults(monitorKeys: readonly number[], signal?: AbortSignal): Promise<void>;
  eraseIncidents(monitorKeys: readonly number[]): Promise<void>;
}

/** How long a tombstone is kept. An agent that was disconnected for longer gets a snapshot. */
export const TOMBSTONE_MS = 7 * 86_400_000;
const BATCH = 100;

/**
 * Purges monitors that were deleted more than seven days ago, with their results. Their incidents stay in the history of
 * the workspace. The monitor row is deleted last, so that an interrupted run can be continued.
 * @returns the number of purged monitors
 * @throws Error where the signal is aborted before all are purged
 */
export async function purgeMonitors(deps: Omit<PurgeDeps, 'eraseIncidents'>, signal?: AbortSignal): Promise<number> {
  const before = new Date(deps.clock.now() - TOMBSTONE_MS);
  let total = 0;
  for (;;) {
    const keys = await deps.db.read((tx) => tombstoneStore.due(tx, before, BATCH));
    await deps.eraseResults(keys, signal);
    total += await deps.db.transaction((tx) => tombstoneStore.remove(tx, keys));
    if (keys.length < BATCH) return total;
  }
}
