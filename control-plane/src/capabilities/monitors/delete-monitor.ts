import { notFound } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import type { Tx } from '../../platform/db/database.js';
import { describeConfiguration } from './describe-monitor.js';
import { announceChange, type MonitorChange, type MonitorDeps, notifyListeners } from './monitor-deps.js';
import { type MonitorRow, monitorStore } from './monitor-store.js';
import type { CheckPrecondition } from './update-monitor.js';
import { ownerMonitorStore } from './owner-monitor-store.js';

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
  const changes = await deps.db.transaction(async (tx) => {
    const row = await monitorStore.lock(workspaceId, tx, id);
    if (!row) throw notFound('monitor');
    checkPrecondition(describeConfiguration({ ...row, workspaceId }));
    return buryMonitors(deps, tx, actor, [row]);
  });
  for (const change of changes) announceChange(deps, change);
}

/** Deletes monitors that the caller has locked. @returns the changes to announce after the commit */
export async function buryMonitors(
  deps: Pick<MonitorDeps, 'clock' | 'listeners'>,
  tx: Tx,
  actor: Actor,
  rows: readonly MonitorRow[],
): Promise<MonitorChange[]> {
  const { workspaceId } = actor.workspace;
  await monitorStore.bury(
    workspaceId,
    tx,
    rows.map(({ id }) => id),
    new Date(deps.clock.now()),
  );
  const changes = rows.map(({ id: monitorId, key: monitorKey }): MonitorChange => {
    return { kind: 'deleted', monitorKey, monitorId, workspaceId, checksChanged: true };
  });
  await notifyListeners(deps, tx, changes, actor);
  await recordAudit(
    deps,
    tx,
    actor,
    ...rows.map((row) => ({
      workspaceId,
      action: 'monitor.deleted' as const,
      target: { id: row.id, name: row.name },
      before: describeConfiguration({ ...row, workspaceId }),
      after: null,
    })),
  );
  return changes;
}

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
