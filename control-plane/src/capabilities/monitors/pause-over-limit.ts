import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Entitlements } from '../plans/index.js';
import type { MonitorDeps } from './monitor-deps.js';
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
  for (const { key: monitorKey, id: monitorId, workspaceId } of paused) {
    const change = { kind: 'stopped', monitorKey, monitorId, workspaceId, checksChanged: false } as const;
    for (const listener of deps.listeners) await listener(tx, change);
  }
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
