import { newId } from '@watchpost/shared/id';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { lockWorkspaceEntitlements, requireWithinLimit } from '../plans/index.js';
import { announceChange, type MonitorDeps, notifyListeners } from './monitor-deps.js';
import { findDependencyFaults } from './dependencies/find-dependency-faults.js';
import { decideNewSettings } from './settings/decide-monitor-settings.js';
import { type TaggedMonitor, tagged } from './get-monitor.js';
import type { MonitorCreateInput } from './settings/monitor-input-schemas.js';
import { givePingTokens } from './heartbeat/give-ping-tokens.js';
import { pingUrlsFor } from './heartbeat/ping-url.js';
import { readTimeZone } from '../workspaces/index.js';
import { sealSecrets } from './settings/monitor-secrets.js';
import { monitorStore } from './monitor-store.js';
import { monitorViewStore } from './monitor-view-store.js';
import { requireConsistentSettings } from './settings/require-consistent-settings.js';
import { requirePlanCovers } from './settings/require-plan-covers.js';
import { requireFreeTypes } from './service-groups/require-free-types.js';

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
  const { workspaceId } = actor.workspace;
  const created = await deps.db.transaction(async (tx) => {
    const faults = await findDependencyFaults(tx, workspaceId, null, input.dependsOn);
    requireConsistentSettings({ faults: [...decideNewSettings(input).faults, ...faults] });
    const entitlements = await lockWorkspaceEntitlements(tx, workspaceId);
    requirePlanCovers(entitlements, input, { isNew: true });
    requireWithinLimit(entitlements, 'monitors', (await monitorStore.countOfOwner(entitlements.ownerId, tx)) + 1);
    // Read after taking the lock, so that creation times follow the order of the lock.
    const workspaceZone = input.heartbeat?.cron ? await readTimeZone(tx, workspaceId) : 'UTC';
    const { settings, secrets } = decideNewSettings(input, workspaceZone);
    const nowMs = deps.clock.now();
    const now = new Date(nowMs);
    const id = newId(nowMs);
    const { serviceGroupId } = settings;
    if (serviceGroupId !== null)
      await requireFreeTypes(tx, workspaceId, serviceGroupId, { ...settings, id }, 'serviceGroupId');
    const httpSecrets = sealSecrets(deps.secretBox, id, secrets);
    const row = { ...settings, id, httpSecrets, created: now, lastModified: now, checksChanged: now };
    const monitorKey = await monitorStore.insert(workspaceId, tx, row);
    const importedToken = input.heartbeat?.importedToken ?? null;
    if (settings.heartbeat) await givePingTokens(deps, tx, workspaceId, id, importedToken);
    const change = { kind: 'created', monitorKey, monitorId: id, workspaceId, checksChanged: true } as const;
    await notifyListeners(deps, tx, [change]);
    const view = tagged(
      await monitorViewStore.find(workspaceId, tx, id, new Date(nowMs)),
      nowMs,
      pingUrlsFor(deps, actor),
    );
    await recordAudit(deps, tx, actor, {
      workspaceId,
      action: 'monitor.created',
      target: { id, name: settings.name },
      before: null,
      after: view.configuration,
      secrets: importedToken === null ? [] : ['heartbeat.importedToken'],
    });
    return { change, view };
  });
  announceChange(deps, created.change);
  return created.view;
}
