import { Fault, type FaultDetail, invalidFields } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { type Entitlements, lockWorkspaceEntitlements, requireWithinLimit } from '../plans/index.js';
import { type BulkInput, type BulkResult, MAX_BULK } from './bulk-schemas.js';
import { type BulkSettings, decideBulkChange, decideTagFaults } from './decide-bulk-change.js';
import { decideChecksChanged } from './checks/decide-checks-changed.js';
import { buryMonitors } from './delete-monitor.js';
import { announceChange, type MonitorChange, type MonitorDeps, notifyListeners } from './monitor-deps.js';
import { type MonitorRow, monitorStore, settingsOf } from './monitor-store.js';
import { ownerMonitorStore } from './owner-monitor-store.js';
import { changedMonitor } from './update-monitor.js';

interface Changing {
  row: MonitorRow;
  after: Partial<BulkSettings>;
}

/**
 * Changes many monitors in one transaction: all or none, by a bounded number of statements. Monitors that are so already are
 * left alone.
 * @throws Fault validation_failed (a filter that matches too many, a monitor that would have too many tags), not_found (a
 * monitor that is not in the workspace), plan_limit_exceeded
 */
export async function changeMonitors(deps: MonitorDeps, actor: Actor, input: BulkInput): Promise<BulkResult> {
  const { workspaceId } = actor.workspace;
  const { action, tags, dryRun } = input;
  const { result, changes } = await deps.db.transaction(async (tx) => {
    // Locked before monitors, as where one monitor is enabled.
    const owner = action === 'resume' ? await lockWorkspaceEntitlements(tx, workspaceId) : null;
    const matched = await lockMatched(deps, tx, workspaceId, input);
    const changing =
      action === 'delete'
        ? matched.map((row): Changing => ({ row, after: {} }))
        : matched.flatMap((row): Changing[] => {
            const after = decideBulkChange({ action, tags }, row);
            return after ? [{ row, after }] : [];
          });
    refuse(decideTagFaults(changing.map(({ row: { id }, after }) => ({ id, after }))));
    if (owner) await requireResumable(tx, owner, changing.length);
    const monitorIds = changing.map(({ row }) => row.id);
    const keys = action === 'pause' || action === 'delete' ? changing.map(({ row }) => row.key) : [];
    const closedIncidents = await monitorStore.countOpenIncidents(workspaceId, tx, keys);
    const result = { matched: matched.length, changed: monitorIds.length, monitorIds, closedIncidents };
    if (dryRun || changing.length === 0) return { result, changes: [] };
    const changes =
      action === 'delete'
        ? await buryMonitors(
            deps,
            tx,
            actor,
            changing.map(({ row }) => row),
          )
        : await applyChanges(deps, tx, actor, changing);
    return { result, changes };
  });
  for (const change of changes) announceChange(deps, change);
  return result;
}

async function lockMatched(
  deps: MonitorDeps,
  tx: Tx,
  workspaceId: string,
  { monitorIds, filter }: BulkInput,
): Promise<MonitorRow[]> {
  if (monitorIds !== undefined) {
    const rows = await monitorStore.lockAll(workspaceId, tx, monitorIds);
    if (rows.length < monitorIds.length) throw notInWorkspace(monitorIds, rows);
    return rows;
  }
  const now = new Date(deps.clock.now());
  const rows = await monitorStore.lockMatching(workspaceId, tx, filter!, now, MAX_BULK + 1);
  if (rows.length > MAX_BULK)
    refuse([{ path: 'filter', message: `matches more than ${MAX_BULK} monitors: add a condition to it` }]);
  return rows;
}

async function requireResumable(tx: Tx, owner: Entitlements & { ownerId: string }, resumed: number): Promise<void> {
  if (resumed === 0) return;
  const running = await ownerMonitorStore.countRunning(owner.ownerId, tx);
  requireWithinLimit(owner, 'monitors', running + resumed, 'action');
}

async function applyChanges(
  deps: MonitorDeps,
  tx: Tx,
  actor: Actor,
  changing: readonly Changing[],
): Promise<MonitorChange[]> {
  const { workspaceId } = actor.workspace;
  const nowMs = deps.clock.now();
  const changed = changing.map(({ row, after }) => {
    const settings = { ...settingsOf(row), ...after };
    const isDue = decideChecksChanged({ settings: row, secrets: {} }, { settings, secrets: {} });
    return changedMonitor(workspaceId, row, settings, isDue, nowMs);
  });
  await monitorStore.updateAll(
    workspaceId,
    tx,
    changed.map(({ written }) => written),
  );
  const changes = changed.map(({ change }) => change);
  await notifyListeners(deps, tx, changes, actor);
  await recordAudit(
    deps,
    tx,
    actor,
    ...changing.map(({ row, after }) => ({
      workspaceId,
      action: 'monitor.updated' as const,
      target: { id: row.id, name: row.name },
      before: { monitoringStatus: row.monitoringStatus, tags: row.tags },
      after: { monitoringStatus: row.monitoringStatus, tags: row.tags, ...after },
    })),
  );
  return changes;
}

/** @throws Fault validation_failed where there is a fault */
function refuse(faults: readonly FaultDetail[]): void {
  if (faults.length > 0) throw invalidFields(faults.slice(0, 100));
}

function notInWorkspace(asked: readonly string[], found: readonly { id: string }[]): Fault {
  const ids = new Set(found.map(({ id }) => id));
  const details = asked.flatMap((id, index) =>
    ids.has(id) ? [] : [{ path: `monitorIds.${index}`, message: 'is not a monitor of this workspace' }],
  );
  return new Fault('not_found', 'Not all of these monitors exist; none was changed.', details.slice(0, 100));
}
