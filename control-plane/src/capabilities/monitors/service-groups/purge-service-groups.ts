import type { PurgeDeps } from '../purge-monitors.js';
import { purgeStore } from './purge-store.js';

const BATCH = 20;

/**
 * Forgets groups that were deleted 90 days ago, with the monitors that went with them and all that these left: results,
 * rollups, incidents. Groups go last, so that a run that was cut off goes on.
 * @returns how many groups
 */
export async function purgeServiceGroups(deps: PurgeDeps): Promise<number> {
  const now = new Date(deps.clock.now());
  let total = 0;
  for (;;) {
    const { groupIds, monitorKeys } = await deps.db.read((tx) => purgeStore.due(tx, now, BATCH));
    await deps.eraseResults(monitorKeys);
    await deps.eraseIncidents(monitorKeys);
    await deps.db.transaction((tx) => purgeStore.remove(tx, groupIds));
    total += groupIds.length;
    if (groupIds.length < BATCH) return total;
  }
}
