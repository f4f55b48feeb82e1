import { isDeepStrictEqual } from 'node:util';
import { laterThan } from '@watchpost/shared/clock';
import { type FaultDetail, notFound } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { lockWorkspaceEntitlements, requireWithinLimit, workspaceEntitlements } from '../plans/index.js';
import { announceChange, type MonitorChange, type MonitorDeps, notifyListeners } from './monitor-deps.js';
import { findDependencyFaults } from './dependencies/find-dependency-faults.js';
import { decideChecksChanged } from './checks/decide-checks-changed.js';
import { decideChangedSettings } from './settings/decide-monitor-settings.js';
import { describeConfiguration } from './describe-monitor.js';
import { type TaggedMonitor, tagged } from './get-monitor.js';
import type { MonitorUpdateInput } from './settings/monitor-input-schemas.js';
import { pingUrlsFor } from './heartbeat/ping-url.js';
import { readTimeZone } from '../workspaces/index.js';
import { changedSecrets, openSecrets, sealSecrets } from './settings/monitor-secrets.js';
import type { MonitorSettings } from './settings/monitor-settings.js';
import { type MonitorRow, monitorStore, settingsOf } from './monitor-store.js';
import { monitorViewStore } from './monitor-view-store.js';
import { ownerMonitorStore } from './owner-monitor-store.js';
import { requireConsistentSettings } from './settings/require-consistent-settings.js';
import { requirePlanCovers } from './settings/require-plan-covers.js';
import { groupsInOrder, requireFreeTypes } from './service-groups/require-free-types.js';
import { serviceGroupStore } from './service-groups/service-group-store.js';

/** Throws if the caller's copy of the configuration is out of date. */
export type CheckPrecondition = (configuration: TaggedMonitor['configuration']) => void;

/** Fields of a monitor to change. */
export interface NamedChange {
  id: string;
  input: MonitorUpdateInput;
  checkPrecondition?: CheckPrecondition;
}

/**
 * Changes the fields that `input` names. If a check depends on one of them, it is due at once. An unchanged monitor is not
 * written.
 * @throws Fault not_found (the service group too), precondition_failed, validation_failed, feature_not_in_plan,
 * plan_limit_exceeded, monitor_type_conflict
 */
export async function updateMonitor(
  deps: MonitorDeps,
  actor: Actor,
  id: string,
  input: MonitorUpdateInput,
  checkPrecondition?: CheckPrecondition,
): Promise<TaggedMonitor> {
  const [updated] = await updateMonitors(deps, actor, [{ id, input, ...(checkPrecondition && { checkPrecondition }) }]);
  return updated!;
}

/**
 * Changes different monitors by a bounded number of statements: all of them or none. What limits their groups, dependencies and
 * number is decided once for all of them.
 * @returns them in the same order
 * @throws Fault as `updateMonitor`, of one monitor that cannot be changed
 */
export async function updateMonitors(
  deps: MonitorDeps,
  actor: Actor,
  changes: readonly NamedChange[],
): Promise<TaggedMonitor[]> {
  const { workspaceId } = actor.workspace;
  const ids = changes.map(({ id }) => id);
  const updated = await deps.db.transaction(async (tx) => {
    const inputs = changes.map(({ input }) => input);
    // Enabling a monitor may exceed the limit, so concurrent starts of the owner's monitors wait.
    const enables = inputs.some(({ monitoringStatus }) => monitoringStatus === 'enabled');
    const owner = enables ? await lockWorkspaceEntitlements(tx, workspaceId) : null;
    const named = changes.map(({ id, input: { dependsOn } }) => ({ monitorId: id, dependsOn }));
    const faults = await findDependencyFaults(tx, workspaceId, named);
    await lockGroups(tx, workspaceId, changes);
    const locked = new Map((await monitorStore.lockAll(workspaceId, tx, ids)).map((row) => [row.id, row]));
    const before = changes.map(({ id, checkPrecondition }) => {
      const row = locked.get(id);
      if (!row) throw notFound('monitor');
      const configuration = describeConfiguration({ ...row, workspaceId });
      checkPrecondition?.(configuration);
      return { row, configuration };
    });
    const rows = before.map(({ row }) => row);
    const applied = await applyChanges(deps, tx, actor, rows, inputs, { owner, faults });
    const nowMs = deps.clock.now();
    const found = await monitorViewStore.findAll(workspaceId, tx, ids, new Date(nowMs));
    const pingUrlOf = pingUrlsFor(deps, actor);
    const views = ids.map((id) => tagged(found.get(id), nowMs, pingUrlOf));
    const audited = before.flatMap(({ row: { id }, configuration }, at) => {
      const after = views[at]!.configuration;
      const change = applied.get(id);
      const target = { id, name: after.name };
      const action = 'monitor.updated' as const;
      return change ? [{ workspaceId, action, target, before: configuration, after, secrets: change.secrets }] : [];
    });
    await recordAudit(deps, tx, actor, ...audited);
    return { changes: [...applied.values()].map(({ change }) => change), views };
  });
  for (const change of updated.changes) announceChange(deps, change);
  return updated.views;
}

/** Groups are locked before monitors, as everywhere, so that transactions cannot deadlock. */
async function lockGroups(tx: Tx, workspaceId: string, changes: readonly NamedChange[]): Promise<void> {
  const joining = changes.filter(
    ({ input: { serviceGroupId, monitorTypes } }) => serviceGroupId !== undefined || monitorTypes !== undefined,
  );
  if (joining.length === 0) return;
  const ids = joining.map(({ id }) => id);
  const groupIds = joining.flatMap(({ input: { serviceGroupId } }) => serviceGroupId ?? []);
  await serviceGroupStore.lockAround(workspaceId, tx, ids, groupIds);
}

interface Applied {
  change: MonitorChange;
  /** The fields whose secrets changed. */
  secrets: string[];
}

/** @returns what changed, by the id of the monitor */
async function applyChanges(
  deps: MonitorDeps,
  tx: Tx,
  actor: Actor,
  rows: readonly MonitorRow[],
  inputs: readonly MonitorUpdateInput[],
  { owner, faults }: { owner: Awaited<ReturnType<typeof lockWorkspaceEntitlements>> | null; faults: FaultDetail[] },
): Promise<ReadonlyMap<string, Applied>> {
  const { workspaceId } = actor.workspace;
  const workspaceZone = inputs.some(({ heartbeat }) => heartbeat?.cron) ? await readTimeZone(tx, workspaceId) : 'UTC';
  const decided = rows.map((row, at) => {
    const before = { settings: settingsOf(row), secrets: openSecrets(deps.secretBox, row.id, row.httpSecrets) };
    const after = decideChangedSettings(before.settings, before.secrets, inputs[at]!, workspaceZone);
    return { row, before, after };
  });
  requireConsistentSettings({ faults: [...decided.flatMap(({ after }) => after.faults), ...faults] });
  const entitlements = owner ?? (await workspaceEntitlements(tx, workspaceId));
  const resumed = decided.filter(({ before, after }) => kindOfChange(before.settings, after.settings) === 'resumed');
  if (resumed.length > 0 && owner) {
    const running = await ownerMonitorStore.countRunning(owner.ownerId, tx);
    requireWithinLimit(owner, 'monitors', running + resumed.length, 'monitoringStatus', 'paused');
  }
  for (const input of inputs) requirePlanCovers(entitlements, input, { isNew: false });
  await requireFreeTypesAfter(tx, workspaceId, decided);
  const nowMs = deps.clock.now();
  const changed = decided.flatMap(({ row, before, after }) => {
    const sameSecrets = isDeepStrictEqual(before.secrets, after.secrets);
    if (sameSecrets && isDeepStrictEqual(before.settings, after.settings)) return [];
    const isDue = decideChecksChanged(before, after);
    const httpSecrets = sameSecrets ? row.httpSecrets : sealSecrets(deps.secretBox, row.id, after.secrets);
    const { written, change } = changedMonitor(workspaceId, row, after.settings, isDue, nowMs);
    const secrets = changedSecrets(after.settings.http.headers, before.secrets, after.secrets);
    return [{ written: { ...written, httpSecrets }, change, secrets }];
  });
  if (changed.length > 0) {
    await monitorStore.update(
      workspaceId,
      tx,
      changed.map(({ written }) => written),
    );
    await notifyListeners(
      deps,
      tx,
      changed.map(({ change }) => change),
      actor,
    );
  }
  return new Map(changed.map(({ change, secrets }) => [change.monitorId, { change, secrets }]));
}

/** Refuses types that two monitors of a group would have, where one of them joins it or changes its types. */
async function requireFreeTypesAfter(
  tx: Tx,
  workspaceId: string,
  decided: readonly { row: MonitorRow; after: { settings: MonitorSettings } }[],
): Promise<void> {
  const joining = decided.flatMap(({ row, after: { settings } }) => {
    const { serviceGroupId, monitorTypes } = settings;
    if (serviceGroupId === null) return [];
    const moves = serviceGroupId !== row.serviceGroupId;
    if (!moves && isDeepStrictEqual(monitorTypes, row.monitorTypes)) return [];
    return [{ ...settings, id: row.id, serviceGroupId, moves }];
  });
  for (const [groupId, monitors] of groupsInOrder(joining)) {
    const path = monitors.some(({ moves }) => moves) ? 'serviceGroupId' : 'monitorTypes';
    await requireFreeTypes(tx, workspaceId, groupId, monitors, path);
  }
}

/**
 * What is written of a monitor whose settings change, and what listeners receive.
 * @param isDue whether a check is due at once
 */
export function changedMonitor(
  workspaceId: string,
  row: MonitorRow,
  settings: MonitorSettings,
  isDue: boolean,
  nowMs: number,
): { written: MonitorRow; change: MonitorChange } {
  const { id: monitorId, key: monitorKey, lastModified, checksChanged } = row;
  const kind = kindOfChange(row, settings);
  return {
    written: {
      ...row,
      ...settings,
      lastModified: laterThan(lastModified, nowMs),
      checksChanged: isDue ? laterThan(checksChanged, nowMs) : checksChanged,
    },
    change: {
      kind,
      monitorKey,
      monitorId,
      workspaceId,
      checksChanged: isDue,
      isRename: isRename(row, settings),
      ...(kind === 'stopped' && { stoppedAs: settings.monitoringStatus === 'disabled' ? 'disabled' : 'paused' }),
    },
  };
}

function isRename(row: MonitorRow, settings: MonitorSettings): boolean {
  return isDeepStrictEqual({ ...settingsOf(row), name: settings.name }, settings);
}

function kindOfChange(before: MonitorSettings, after: MonitorSettings): MonitorChange['kind'] {
  const was = before.monitoringStatus === 'enabled';
  const is = after.monitoringStatus === 'enabled';
  return was === is ? 'updated' : is ? 'resumed' : 'stopped';
}
