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
import { requireFreeTypes } from './service-groups/require-free-types.js';
import { serviceGroupStore } from './service-groups/service-group-store.js';

/** Throws if the caller's copy of the configuration is out of date. */
export type CheckPrecondition = (configuration: TaggedMonitor['configuration']) => void;

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
  checkPrecondition: CheckPrecondition = () => {},
): Promise<TaggedMonitor> {
  const { workspaceId } = actor.workspace;
  const updated = await deps.db.transaction(async (tx) => {
    // Enabling a monitor may exceed the limit, so concurrent starts of the owner's monitors wait.
    const owner = input.monitoringStatus === 'enabled' ? await lockWorkspaceEntitlements(tx, workspaceId) : null;
    const faults = await findDependencyFaults(tx, workspaceId, id, input.dependsOn);
    // Groups are locked before monitors, as everywhere, so that transactions cannot deadlock.
    if (input.serviceGroupId !== undefined || input.monitorTypes !== undefined)
      await serviceGroupStore.lockAround(workspaceId, tx, id, input.serviceGroupId ?? null);
    const row = await monitorStore.lock(workspaceId, tx, id);
    if (!row) throw notFound('monitor');
    const pingUrlOf = pingUrlsFor(deps, actor);
    const before = describeConfiguration({ ...row, workspaceId });
    checkPrecondition(before);
    const applied = await applyChange(deps, tx, workspaceId, row, input, { owner, faults });
    const nowMs = deps.clock.now();
    const view = tagged(await monitorViewStore.find(workspaceId, tx, id, new Date(nowMs)), nowMs, pingUrlOf);
    if (!applied) return { change: undefined, view };
    await recordAudit(deps, tx, actor, {
      workspaceId,
      action: 'monitor.updated',
      target: { id, name: view.configuration.name },
      before,
      after: view.configuration,
      secrets: applied.secrets,
    });
    return { change: applied.change, view };
  });
  if (updated.change) announceChange(deps, updated.change);
  return updated.view;
}

/** @returns the change and the fields whose secrets changed; undefined if nothing changed */
async function applyChange(
  deps: MonitorDeps,
  tx: Tx,
  workspaceId: string,
  row: MonitorRow,
  input: MonitorUpdateInput,
  { owner, faults }: { owner: Awaited<ReturnType<typeof lockWorkspaceEntitlements>> | null; faults: FaultDetail[] },
): Promise<{ change: MonitorChange; secrets: string[] } | undefined> {
  const { id, httpSecrets } = row;
  const settings = settingsOf(row);
  const before = { settings, secrets: openSecrets(deps.secretBox, id, httpSecrets) };
  const workspaceZone = input.heartbeat?.cron ? await readTimeZone(tx, workspaceId) : 'UTC';
  const after = decideChangedSettings(before.settings, before.secrets, input, workspaceZone);
  requireConsistentSettings({ faults: [...after.faults, ...faults] });
  const entitlements = owner ?? (await workspaceEntitlements(tx, workspaceId));
  const kind = kindOfChange(settings, after.settings);
  if (kind === 'resumed' && owner) {
    const running = await ownerMonitorStore.countRunning(owner.ownerId, tx);
    requireWithinLimit(owner, 'monitors', running + 1, 'monitoringStatus', 'paused');
  }
  requirePlanCovers(entitlements, input, { isNew: false });
  const { serviceGroupId, monitorTypes } = after.settings;
  const moves = serviceGroupId !== settings.serviceGroupId;
  if (serviceGroupId !== null && (moves || !isDeepStrictEqual(monitorTypes, settings.monitorTypes)))
    await requireFreeTypes(
      tx,
      workspaceId,
      serviceGroupId,
      { ...after.settings, id },
      moves ? 'serviceGroupId' : 'monitorTypes',
    );
  const sameSecrets = isDeepStrictEqual(before.secrets, after.secrets);
  if (sameSecrets && isDeepStrictEqual(before.settings, after.settings)) return undefined;
  const isDue = decideChecksChanged(before, after);
  const sealed = sameSecrets ? httpSecrets : sealSecrets(deps.secretBox, id, after.secrets);
  const { written, change } = changedMonitor(workspaceId, row, after.settings, isDue, deps.clock.now());
  await monitorStore.update(workspaceId, tx, { ...written, httpSecrets: sealed });
  await notifyListeners(deps, tx, [change]);
  return { change, secrets: changedSecrets(after.settings.http.headers, before.secrets, after.secrets) };
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
    change: { kind, monitorKey, monitorId, workspaceId, checksChanged: isDue, isRename: isRename(row, settings) },
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
