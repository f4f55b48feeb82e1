import type { Tx } from '../../platform/db/database.js';
import { type MonitorChange, type MonitorDeps, notifyListeners } from './monitor-deps.js';
import { ownerMonitorStore } from './owner-monitor-store.js';

/**
 * Deletes all monitors of a workspace in the transaction that deletes the workspace. The tombstones outlive it, so that
 * agents receive the removal.
 */
export async function deleteMonitorsOfWorkspace(
  deps: Pick<MonitorDeps, 'clock' | 'listeners'>,
  tx: Tx,
  workspaceId: string,
): Promise<void> {
  const buried = await ownerMonitorStore.buryAll(workspaceId, tx, new Date(deps.clock.now()));
  const changes = buried.map(({ key: monitorKey, id: monitorId }): MonitorChange => {
    return { kind: 'deleted', monitorKey, monitorId, workspaceId, checksChanged: true };
  });
  await notifyListeners(deps, tx, changes);
}
