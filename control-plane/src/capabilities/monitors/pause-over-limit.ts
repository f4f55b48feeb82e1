import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Entitlements } from '../plans/index.js';
import { type MonitorChange, type MonitorDeps, notifyListeners } from './monitor-deps.js';
import { ownerMonitorStore } from './owner-monitor-store.js';

/**
 * Pauses an owner's monitors beyond the limit of the plan, the newest first, over all workspaces. Nothing is deleted, and
 * nothing resumes automatically. Called in the transaction that lowers the limit and has locked the owner's account.
 * @returns the number of paused monitors
 */
export async function pauseMonitorsOverLimit(
  deps: Pick<MonitorDeps, 'clock' | 'listeners'>,
  tx: Tx,
  ownerId: string,
  { limits }: Pick<Entitlements, 'limits'>,
): Promise<number> {
  if (limits.monitors === null) return 0;
  const paused = await ownerMonitorStore.pauseNewest(ownerId, tx, limits.monitors, new Date(deps.clock.now()));
  const changes = paused.map(({ key: monitorKey, id: monitorId, workspaceId }): MonitorChange => {
    return { kind: 'stopped', stoppedAs: 'paused', monitorKey, monitorId, workspaceId, checksChanged: false };
  });
  await notifyListeners(deps, tx, changes);
  await recordAudit(
    deps,
    tx,
    'system',
    ...paused.map(({ workspaceId, id, name }) => ({
      workspaceId,
      action: 'monitor.updated' as const,
      target: { id, name },
      before: { monitoringStatus: 'enabled' },
      after: { monitoringStatus: 'paused' },
    })),
  );
  return paused.length;
}
