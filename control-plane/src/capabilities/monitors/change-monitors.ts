import { Fault, type FaultDetail, invalidFields } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { type Entitlements, lockWorkspaceEntitlements, requireWithinLimit } from '../plans/index.js';
import { type BulkInput, type BulkResult, MAX_BULK, MAX_PREVIEWED } from './bulk-schemas.js';
import { type BulkSettings, decideBulkChange, decideTagFaults, formerSettings } from './decide-bulk-change.js';
import { decideChecksChanged } from './checks/decide-checks-changed.js';
import { buryMonitors } from './delete-monitor.js';
import {
  announceChange,
  type BulkDeps,
  type MonitorChange,
  type MonitorDeps,
  notifyListeners,
} from './monitor-deps.js';
import { type MatchingMonitor, type MonitorRow, monitorStore, settingsOf } from './monitor-store.js';
import { ownerMonitorStore } from './owner-monitor-store.js';
import type { MonitorFilter } from './monitor-filter.js';
import { changedMonitor, updateMonitors } from './update-monitor.js';

interface Changing<Row> {
  row: Row;
  after: Partial<BulkSettings>;
}

interface Outcome {
  result: BulkResult;
  changes: readonly Pick<MonitorChange, 'monitorKey'>[];
}

/**
 * Changes many monitors in one transaction: all or none, by a bounded number of statements. Monitors that are so already are
 * left alone.
 * @throws Fault validation_failed (a filter that matches too many, a monitor that would have too many tags), not_found (a
 * monitor, action group or window that is not in the workspace), insufficient_scope, plan_limit_exceeded, feature_not_in_plan, monitor_type_conflict
 */
export async function changeMonitors(deps: BulkDeps, actor: Actor, input: BulkInput): Promise<BulkResult> {
  const { result, changes } = await deps.db.transaction((tx) => {
    if (input.actionGroupId !== undefined || input.maintenanceWindowId !== undefined)
      return moveMatched(deps, tx, actor, input);
    if (input.dryRun) return previewChange(deps, tx, actor, input);
    return input.action === 'update' ? updateMatched(deps, tx, actor, input) : changeMatched(deps, tx, actor, input);
  });
  for (const change of changes) announceChange(deps, change);
  return result;
}

/** Finds what would change, without waiting for others. */
async function previewChange(deps: MonitorDeps, tx: Tx, actor: Actor, input: BulkInput): Promise<Outcome> {
  const matched = await findMatched(deps, tx, actor, input, MAX_PREVIEWED);
  return { result: await describeResult(tx, actor, input, matched, decideChanges(input, matched)), changes: [] };
}

async function changeMatched(deps: MonitorDeps, tx: Tx, actor: Actor, input: BulkInput): Promise<Outcome> {
  const { workspaceId } = actor.workspace;
  const { action } = input;
  // Locked before monitors, as where one monitor is enabled.
  const owner = action === 'resume' ? await lockWorkspaceEntitlements(tx, workspaceId) : null;
  const now = new Date(deps.clock.now());
  const matched = await monitorStore.lockMatching(workspaceId, tx, conditionsOf(input), now, MAX_BULK + 1);
  requireMatched(input, matched, MAX_BULK);
  const changing = decideChanges(input, matched);
  if (owner) await requireResumable(tx, owner, changing.length);
  const result = await describeResult(tx, actor, input, matched, changing);
  const rows = changing.map(({ row }) => row);
  if (rows.length === 0) return { result, changes: [] };
  const changes =
    action === 'delete' ? await buryMonitors(deps, tx, actor, rows) : await applyChanges(deps, tx, actor, changing);
  return { result, changes };
}

/** Changes settings as requests for each monitor do. Groups are locked before monitors, so these are not locked to be found. */
async function updateMatched(deps: MonitorDeps, tx: Tx, actor: Actor, input: BulkInput): Promise<Outcome> {
  const matched = await findMatched(deps, tx, actor, input, MAX_BULK);
  const changing = decideChanges(input, matched);
  const asked = changing.map(({ row: { id } }) => ({ id, input: input.settings! }));
  const { results, changes } = await updateMonitors(deps, tx, actor, asked);
  const faults = results.flatMap((result, at) => (result instanceof Fault ? [{ fault: result, at }] : []));
  const [first] = faults;
  if (first && first.fault.code !== 'validation_failed') throw first.fault;
  refuse(
    faults.flatMap(({ fault, at }) =>
      fault.details.map(({ path, message }) => ({
        path: `settings.${path}`,
        message: `${message} (${changing[at]!.row.name})`,
      })),
    ),
  );
  return { result: await describeResult(tx, actor, input, matched, changing), changes };
}

/** Adds them to what names monitors, which is locked before them, or takes them out. */
async function moveMatched(deps: BulkDeps, tx: Tx, actor: Actor, input: BulkInput): Promise<Outcome> {
  const { action, actionGroupId, maintenanceWindowId, dryRun: isDryRun } = input;
  const matched = await findMatched(deps, tx, actor, input, isDryRun ? MAX_PREVIEWED : MAX_BULK);
  const isAdded = action === 'attachActionGroup' || action === 'addToMaintenance';
  const move = { monitorIds: matched.map(({ id }) => id), isAdded, isDryRun };
  const { monitorIds, hasOtherChecks } =
    actionGroupId === undefined
      ? await deps.moveToMaintenance(tx, actor, { id: maintenanceWindowId!, ...move })
      : await deps.moveToActionGroup(tx, actor, { id: actionGroupId, ...move });
  return {
    result: { matched: matched.length, changed: monitorIds.length, monitorIds: [...monitorIds], closedIncidents: 0 },
    // The key is not needed: the sessions read from the database what changed.
    changes: hasOtherChecks ? [{ monitorKey: 0 }] : [],
  };
}

async function describeResult(
  tx: Tx,
  actor: Actor,
  { action, settings }: BulkInput,
  matched: readonly unknown[],
  changing: readonly Changing<MatchingMonitor>[],
): Promise<BulkResult> {
  const keys = action === 'pause' || action === 'delete' ? changing.map(({ row }) => row.key) : [];
  return {
    matched: matched.length,
    changed: changing.length,
    monitorIds: changing.map(({ row }) => row.id),
    closedIncidents: await monitorStore.countOpenIncidents(actor.workspace.workspaceId, tx, keys),
    ...(settings && { former: formerSettings(settings, changing) }),
  };
}

/** @throws Fault validation_failed (a monitor that would have too many tags) */
function decideChanges<Row extends MatchingMonitor>(input: BulkInput, matched: readonly Row[]): Changing<Row>[] {
  const { action, tags, settings } = input;
  const changing = matched.flatMap((row): Changing<Row>[] => {
    const after = action === 'delete' ? {} : decideBulkChange({ action, tags, settings }, row);
    return after ? [{ row, after }] : [];
  });
  refuse(decideTagFaults(changing.map(({ row: { id }, after }) => ({ id, after }))));
  return changing;
}

function conditionsOf({ monitorIds, filter }: BulkInput): MonitorFilter {
  return monitorIds === undefined ? filter! : { ids: monitorIds };
}

async function findMatched(
  deps: MonitorDeps,
  tx: Tx,
  { workspace: { workspaceId } }: Actor,
  input: BulkInput,
  most: number,
): Promise<MatchingMonitor[]> {
  const now = new Date(deps.clock.now());
  const matched = await monitorStore.matching(workspaceId, tx, conditionsOf(input), now, most + 1);
  requireMatched(input, matched, most);
  return matched;
}

/** @throws Fault not_found, validation_failed */
function requireMatched({ monitorIds }: BulkInput, matched: readonly { id: string }[], most: number): void {
  if (monitorIds !== undefined && matched.length < monitorIds.length) throw notInWorkspace(monitorIds, matched);
  if (matched.length > most)
    refuse([{ path: 'filter', message: `matches more than ${most} monitors: add a condition to it` }]);
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
  changing: readonly Changing<MonitorRow>[],
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
