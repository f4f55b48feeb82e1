import { newId } from '@watchpost/shared/id';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { lockWorkspaceEntitlements, requireWithinLimit } from '../plans/index.js';
import { announceChange, type MonitorChange, type MonitorDeps, notifyListeners } from './monitor-deps.js';
import { findDependencyFaults } from './dependencies/find-dependency-faults.js';
import { decideNewSettings } from './settings/decide-monitor-settings.js';
import { type TaggedMonitor, tagged } from './get-monitor.js';
import type { MonitorCreateInput } from './settings/monitor-input-schemas.js';
import { givePingTokens } from './heartbeat/give-ping-tokens.js';
import { pingUrlsFor } from './heartbeat/ping-url.js';
import { readTimeZone } from '../workspaces/index.js';
import { sealSecrets } from './settings/monitor-secrets.js';
import { type MonitorRow, monitorStore } from './monitor-store.js';
import { monitorViewStore } from './monitor-view-store.js';
import { requireConsistentSettings } from './settings/require-consistent-settings.js';
import { requirePlanCovers } from './settings/require-plan-covers.js';
import { groupsInOrder, requireFreeTypes } from './service-groups/require-free-types.js';

/**
 * Creates a monitor; its first check is due at once. The owner's account is locked while its monitors are counted, so that
 * concurrent requests cannot exceed the limit together.
 * @throws Fault validation_failed, feature_not_in_plan, plan_limit_exceeded, not_found (the service group),
 * monitor_type_conflict
 */
export async function createMonitor(
  deps: MonitorDeps,
  actor: Actor,
  input: MonitorCreateInput,
): Promise<TaggedMonitor> {
  const [created] = await createMonitors(deps, actor, [input]);
  return created!;
}

/**
 * Creates monitors by a bounded number of statements, heartbeats and dependencies aside: all of them or none. None can depend
 * on another one of them, which has no id yet.
 * @returns them in the same order, which is the order of their creation
 * @throws Fault as `createMonitor`, of one monitor that cannot be created
 */
export async function createMonitors(
  deps: MonitorDeps,
  actor: Actor,
  inputs: readonly MonitorCreateInput[],
): Promise<TaggedMonitor[]> {
  const { workspaceId } = actor.workspace;
  const { views, changes } = await deps.db.transaction(async (tx) => {
    const named = inputs.map(({ dependsOn }) => ({ monitorId: null, dependsOn }));
    const dependencyFaults = await findDependencyFaults(tx, workspaceId, named);
    const faults = inputs.flatMap((input) => decideNewSettings(input).faults);
    requireConsistentSettings({ faults: [...faults, ...dependencyFaults] });
    const entitlements = await lockWorkspaceEntitlements(tx, workspaceId);
    for (const input of inputs) requirePlanCovers(entitlements, input, { isNew: true });
    const wanted = (await monitorStore.countOfOwner(entitlements.ownerId, tx)) + inputs.length;
    requireWithinLimit(entitlements, 'monitors', wanted);
    // Read after taking the lock, so that creation times follow the order of the lock.
    const nowMs = deps.clock.now();
    const rows = await newRows(deps, tx, workspaceId, inputs, nowMs);
    for (const [groupId, joining] of groupsInOrder(rows))
      await requireFreeTypes(tx, workspaceId, groupId, joining, 'serviceGroupId');
    const keys = await monitorStore.insert(workspaceId, tx, rows);
    for (const [at, { id, heartbeat }] of rows.entries())
      if (heartbeat) await givePingTokens(deps, tx, workspaceId, id, importedTokenOf(inputs[at]!));
    const changes = rows.map(({ id }): MonitorChange => {
      return { kind: 'created', monitorKey: keys.get(id)!, monitorId: id, workspaceId, checksChanged: true };
    });
    await notifyListeners(deps, tx, changes);
    const ids = rows.map(({ id }) => id);
    const found = await monitorViewStore.findAll(workspaceId, tx, ids, new Date(nowMs));
    const pingUrlOf = pingUrlsFor(deps, actor);
    const views = ids.map((id) => tagged(found.get(id), nowMs, pingUrlOf));
    await recordAudit(
      deps,
      tx,
      actor,
      ...views.map(({ configuration }, at) => ({
        workspaceId,
        action: 'monitor.created' as const,
        target: { id: configuration.id, name: configuration.name },
        before: null,
        after: configuration,
        secrets: importedTokenOf(inputs[at]!) === null ? [] : ['heartbeat.importedToken'],
      })),
    );
    return { views, changes };
  });
  for (const change of changes) announceChange(deps, change);
  return views;
}

async function newRows(
  { secretBox }: MonitorDeps,
  tx: Tx,
  workspaceId: string,
  inputs: readonly MonitorCreateInput[],
  nowMs: number,
): Promise<Omit<MonitorRow, 'key'>[]> {
  const workspaceZone = inputs.some(({ heartbeat }) => heartbeat?.cron) ? await readTimeZone(tx, workspaceId) : 'UTC';
  const now = new Date(nowMs);
  // Of one moment, lists are in the order of the ids.
  const ids = inputs.map(() => newId(nowMs)).toSorted();
  return inputs.map((input, at) => {
    const { settings, secrets } = decideNewSettings(input, workspaceZone);
    const id = ids[at]!;
    const httpSecrets = sealSecrets(secretBox, id, secrets);
    return { ...settings, id, httpSecrets, created: now, lastModified: now, checksChanged: now };
  });
}

function importedTokenOf({ heartbeat }: MonitorCreateInput): string | null {
  return heartbeat?.importedToken ?? null;
}
