import { notFound } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { announceChange, type MonitorDeps } from './monitor-deps.js';
import { tagged } from './get-monitor.js';
import { monitorStore } from './monitor-store.js';
import { monitorViewStore } from './monitor-view-store.js';
import type { CheckPrecondition } from './update-monitor.js';

/**
 * Deletes a monitor. A tombstone remains for a week, for agents that are disconnected; then the monitor is purged with its
 * results. Its incidents stay in the history of the workspace.
 * @throws Fault not_found, precondition_failed
 */
export async function deleteMonitor(
  deps: MonitorDeps,
  actor: Actor,
  id: string,
  checkPrecondition: CheckPrecondition = () => {},
): Promise<void> {
  const { workspaceId } = actor.workspace;
  const change = await deps.db.transaction(async (tx) => {
    const row = await monitorStore.lock(workspaceId, tx, id);
    if (!row) throw notFound('monitor');
    const nowMs = deps.clock.now();
    const { configuration } = tagged(await monitorViewStore.find(workspaceId, tx, id), nowMs);
    checkPrecondition(configuration);
    await monitorStore.bury(workspaceId, tx, id, new Date(nowMs));
    const deleted = { kind: 'deleted', monitorKey: row.key, monitorId: id, workspaceId, checksChanged: true } as const;
    for (const listener of deps.listeners) await listener(tx, deleted);
    await recordAudit(deps, tx, actor, {
      workspaceId,
      action: 'monitor.deleted',
      target: { id, name: row.name },
      before: configuration,
      after: null,
    });
    return deleted;
  });
  announceChange(deps, change);
}
