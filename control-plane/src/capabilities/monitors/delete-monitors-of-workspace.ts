import type { Tx } from '../../platform/db/database.js';
import type { MonitorDeps } from './monitor-deps.js';
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
  for (const { key: monitorKey, id: monitorId } of buried) {
    const change = { kind: 'deleted', monitorKey, monitorId, workspaceId, checksChanged: true } as const;
    for (const listener of deps.listeners) await listener(tx, change);
  }
}
