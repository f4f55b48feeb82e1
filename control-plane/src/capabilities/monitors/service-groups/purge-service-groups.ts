import type { PurgeDeps } from '../purge-monitors.js';
import { purgeStore } from './service-group-store.js';

const BATCH = 20;

/**
 * Purges groups that were deleted 90 days ago, with the monitors deleted with them and their results, rollups and
 * incidents. Groups are deleted last, so that an interrupted run can be continued.
 * @returns the number of purged groups
 * @throws Error where the signal is aborted before all are purged
 */
export async function purgeServiceGroups(deps: PurgeDeps, signal?: AbortSignal): Promise<number> {
  const now = new Date(deps.clock.now());
  let total = 0;
  for (;;) {
    const { groupIds, monitorKeys } = await deps.db.read((tx) => purgeStore.due(tx, now, BATCH));
    await deps.eraseResults(monitorKeys, signal);
    await deps.eraseIncidents(monitorKeys);
    await deps.db.transaction((tx) => purgeStore.remove(tx, groupIds));
    total += groupIds.length;
    if (groupIds.length < BATCH) return total;
  }
}
