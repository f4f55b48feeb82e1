import { newId } from '@watchpost/shared/id';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { lockWorkspaceEntitlements, requireWithinLimit } from '../plans/index.js';
import { type MonitorChange, type MonitorDeps, notifyListeners } from './monitor-deps.js';
import { agentKindStore } from './checks/agent-kind-store.js';
import { decideAgentFaults } from './checks/decide-agent-faults.js';
import { placeFaultsOf } from './checks/find-place-faults.js';
import { findDependencyFaults } from './dependencies/find-dependency-faults.js';
import { type DecidedSettings, decideNewSettings } from './settings/decide-monitor-settings.js';
import { findTagged, type TaggedMonitor } from './get-monitor.js';
import type { MonitorCreateInput } from './settings/monitor-input-schemas.js';
import { namedHosts } from './settings/named-hosts.js';
import { readTimeZone } from '../workspaces/index.js';
import { sealSecrets } from './settings/monitor-secrets.js';
import { monitorStore } from './monitor-store.js';
import { type ChangedMonitors, changeOne, Refusals } from './refusals.js';
import { requireConsistentSettings } from './settings/require-consistent-settings.js';
import { requirePlanCovers } from './settings/require-plan-covers.js';
import { findTeamFaults } from './find-team-faults.js';
import { findTypeFaults } from './service-groups/find-type-faults.js';
import { invalidFields } from '@watchpost/shared/fault';
import type { SecretBox } from '../../platform/db/secret-box.js';
import { hashImportedToken, newPingToken } from './heartbeat/ping-token.js';
import { pingTokenStore } from './heartbeat/ping-token-store.js';

interface NewMonitor {
  id: string;
  input: MonitorCreateInput;
}

/**
 * Creates a monitor; its first check is due at once. The owner's account is locked while its monitors are counted, so that
 * concurrent requests cannot exceed the limit together.
 * @throws Fault validation_failed, feature_not_in_plan, plan_limit_exceeded, not_found (the service group),
 * monitor_type_conflict
 */
export function createMonitor(deps: MonitorDeps, actor: Actor, input: MonitorCreateInput): Promise<TaggedMonitor> {
  const id = newId(deps.clock.now());
  return changeOne(deps, (tx) => createMonitors(deps, tx, actor, [{ id, input }]));
}

/**
 * Creates the monitors that can be created, by a bounded number of statements, heartbeats aside. None can depend on another one
 * of them, which does not exist yet. They are created at the same moment, so lists have them in the order of their ids.
 */
export async function createMonitors(
  deps: MonitorDeps,
  tx: Tx,
  actor: Actor,
  news: readonly NewMonitor[],
): Promise<ChangedMonitors> {
  const { workspaceId } = actor.workspace;
  const refusals = new Refusals(news);
  const named = news.map(({ input: { dependsOn } }) => ({ monitorId: null, dependsOn }));
  const dependencyFaults = await findDependencyFaults(tx, workspaceId, named);
  const teamFaults = await findTeamFaults(
    tx,
    workspaceId,
    news.map(({ input }) => input),
  );
  const asksZone = news.some(({ input: { heartbeat } }) => heartbeat?.cron);
  const workspaceZone = asksZone ? await readTimeZone(tx, workspaceId) : 'UTC';
  const decided = new Map<string, DecidedSettings>();
  const kinds = await agentKindStore.byRegion(tx);
  const placeFaults = placeFaultsOf(tx, workspaceId, deps.egress);
  await refusals.check(async ({ id, input }, at) => {
    const after = decideNewSettings(input, workspaceZone);
    decided.set(id, after);
    const agentFaults = decideAgentFaults(kinds, null, after.settings);
    const placed = await placeFaults({ ...after.settings, hosts: namedHosts(after.settings) });
    requireConsistentSettings({
      faults: [...after.faults, ...dependencyFaults[at]!, ...teamFaults[at]!, ...agentFaults, ...placed],
    });
  });
  const entitlements = await lockWorkspaceEntitlements(tx, workspaceId);
  let owned = await monitorStore.countOfOwner(entitlements.ownerId, tx);
  await refusals.check(({ input }) => {
    requirePlanCovers(entitlements, input, { isNew: true });
    requireWithinLimit(entitlements, 'monitors', owned + 1);
    owned++;
  });
  // Read after taking the lock, so that creation times follow the order of the lock.
  const nowMs = deps.clock.now();
  const now = new Date(nowMs);
  const rowOf = ({ id }: NewMonitor) => {
    const { settings, secrets } = decided.get(id)!;
    const sealedSecrets = sealSecrets(deps.secretBox, id, secrets);
    return { ...settings, id, sealedSecrets, created: now, lastModified: now, checksChanged: now };
  };
  const joining = refusals.left.map(({ id }) => ({ ...decided.get(id)!.settings, id, path: 'serviceGroupId' }));
  const typeFaults = await findTypeFaults(tx, workspaceId, joining);
  refusals.refuse(({ id }) => typeFaults.get(id));
  const keys = await monitorStore.insert(workspaceId, tx, refusals.left.map(rowOf));
  await refusals.check(async ({ id, input: { heartbeat } }) => {
    if (heartbeat) await givePingTokens(deps, tx, workspaceId, id, heartbeat.importedToken ?? null);
  });
  const created = refusals.left;
  const changes = created.map(({ id }): MonitorChange => {
    return { kind: 'created', monitorKey: keys.get(id)!, monitorId: id, workspaceId, checksChanged: true };
  });
  await notifyListeners(deps, tx, changes);
  const ids = created.map(({ id }) => id);
  const views = await findTagged(deps, tx, actor, ids, nowMs);
  const audited = created.map(({ id, input: { heartbeat } }) => {
    const after = views.get(id)!.configuration;
    const secrets = (heartbeat?.importedToken ?? null) === null ? [] : ['heartbeat.importedToken'];
    return {
      workspaceId,
      action: 'monitor.created' as const,
      target: { id, name: after.name },
      before: null,
      after,
      secrets,
    };
  });
  await recordAudit(deps, tx, actor, ...audited);
  return { results: refusals.results(({ id }) => views.get(id)!), changes };
}

/**
 * Gives a new heartbeat its ping token, and the one that it had in another product.
 * @throws Fault validation_failed where the imported token leads to another monitor
 */
async function givePingTokens(
  { secretBox }: { secretBox: SecretBox },
  tx: Tx,
  workspaceId: string,
  monitorId: string,
  importedToken: string | null,
): Promise<void> {
  await pingTokenStore.replace(workspaceId, tx, monitorId, newPingToken(secretBox, monitorId));
  if (importedToken === null) return;
  if (await pingTokenStore.addImported(workspaceId, tx, monitorId, hashImportedToken(importedToken))) return;
  throw invalidFields([
    {
      path: 'heartbeat.importedToken',
      message: 'leads to another monitor already: leave it out and use the ping URL, or delete the other monitor',
    },
  ]);
}
