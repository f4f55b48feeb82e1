import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import { tombstoneStore } from './monitor-store.js';

export interface PurgeDeps {
  db: Database;
  clock: Clock;
  /** Erases all that the checks of these monitors left, in portions and transactions of its own. */
  eraseResults(monitorKeys: readonly number[]): Promise<void>;
  /** The same of their incidents. */
  eraseIncidents(monitorKeys: readonly number[]): Promise<void>;
}

/** How long a deleted monitor is remembered. An agent that was away for longer gets a whole snapshot. */
export const TOMBSTONE_MS = 7 * 86_400_000;
const BATCH = 100;

/**
 * Forgets monitors that were deleted more than seven days ago, and their results. Their incidents stay: they are the
 * history of the workspace, which shows them. The monitor itself goes last, so that a run that was cut off goes on.
 * @returns how many
 */
export async function purgeMonitors(deps: Omit<PurgeDeps, 'eraseIncidents'>): Promise<number> {
  const before = new Date(deps.clock.now() - TOMBSTONE_MS);
  let total = 0;
  for (;;) {
    const keys = await deps.db.read((tx) => tombstoneStore.due(tx, before, BATCH));
    await deps.eraseResults(keys);
    total += await deps.db.transaction((tx) => tombstoneStore.remove(tx, keys));
    if (keys.length < BATCH) return total;
  }
}
