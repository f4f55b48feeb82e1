import { isDeepStrictEqual } from 'node:util';
import { laterThan } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { lockWorkspaceEntitlements, requireWithinLimit, workspaceEntitlements } from '../plans/index.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import { type MonitorChange, type MonitorDeps, notifyListeners } from './monitor-deps.js';
import { agentKindStore } from './checks/agent-kind-store.js';
import { decideAgentFaults } from './checks/decide-agent-faults.js';
import { placeFaultsOf } from './checks/find-place-faults.js';
import { namedHosts } from './settings/named-hosts.js';
import { findDependencyFaults } from './dependencies/find-dependency-faults.js';
import { decideChecksChanged } from './checks/decide-checks-changed.js';
import { type DecidedSettings, decideChangedSettings } from './settings/decide-monitor-settings.js';
import { describeConfiguration } from './describe-monitor.js';
import { findTagged, type TaggedMonitor } from './get-monitor.js';
import type { MonitorUpdateInput } from './settings/monitor-input-schemas.js';
import { readTimeZone } from '../workspaces/index.js';
import { changedSecrets, openSecrets, sealSecrets } from './settings/monitor-secrets.js';
import type { MonitorSecrets, MonitorSettings } from './settings/monitor-settings.js';
import { type MonitorRow, monitorStore, settingsOf } from './monitor-store.js';
import { ownerMonitorStore } from './owner-monitor-store.js';
import { type ChangedMonitors, changeOne, Refusals } from './refusals.js';
import { requireConsistentSettings } from './settings/require-consistent-settings.js';
import { requirePlanCovers } from './settings/require-plan-covers.js';
import { findTypeFaults, type JoiningMonitor } from './service-groups/find-type-faults.js';
import { findTeamFaults } from './find-team-faults.js';
import { serviceGroupStore } from './service-groups/service-group-store.js';

/** Throws if the caller's copy of the configuration is out of date. */
export type CheckPrecondition = (configuration: TaggedMonitor['configuration']) => void;

interface NamedChange {
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
export function updateMonitor(
  deps: MonitorDeps,
  actor: Actor,
  id: string,
  input: MonitorUpdateInput,
  checkPrecondition?: CheckPrecondition,
): Promise<TaggedMonitor> {
  return changeOne(deps, (tx) =>
    updateMonitors(deps, tx, actor, [{ id, input, ...(checkPrecondition && { checkPrecondition }) }]),
  );
}

interface Decided {
  row: MonitorRow;
  configuration: TaggedMonitor['configuration'];
  before: { settings: MonitorSettings; secrets: MonitorSecrets };
  after: DecidedSettings;
}

/** Changes those of different monitors that can be changed, by a bounded number of statements. */
export async function updateMonitors(
  deps: MonitorDeps,
  tx: Tx,
  actor: Actor,
  asked: readonly NamedChange[],
): Promise<ChangedMonitors> {
  const { workspaceId } = actor.workspace;
  const refusals = new Refusals(asked);
  const ids = asked.map(({ id }) => id);
  // Enabling a monitor may exceed the limit, so concurrent starts of the owner's monitors wait.
  const enables = asked.some(({ input }) => input.monitoringStatus === 'enabled');
  const owner = enables ? await lockWorkspaceEntitlements(tx, workspaceId) : null;
  const named = asked.map(({ id, input: { dependsOn } }) => ({ monitorId: id, dependsOn }));
  const dependencyFaults = await findDependencyFaults(tx, workspaceId, named);
  const teamFaults = await findTeamFaults(
    tx,
    workspaceId,
    asked.map(({ input }) => input),
  );
  await lockGroups(tx, workspaceId, asked);
  const locked = new Map((await monitorStore.lockAll(workspaceId, tx, ids)).map((row) => [row.id, row]));
  const asksZone = asked.some(({ input: { heartbeat } }) => heartbeat?.cron);
  const workspaceZone = asksZone ? await readTimeZone(tx, workspaceId) : 'UTC';
  const needsAgents = asked.some(({ input }) => input.monitorTypes !== undefined || input.enabledRegions !== undefined);
  const kinds = needsAgents ? await agentKindStore.byRegion(tx) : new Map<never, never>();
  const decided = new Map<string, Decided>();
  const placeFaults = placeFaultsOf(tx, workspaceId, deps.egress);
  await refusals.check(async ({ id, input, checkPrecondition }, at) => {
    const row = locked.get(id);
    if (!row) throw notFound('monitor');
    const configuration = describeConfiguration({ ...row, workspaceId });
    checkPrecondition?.(configuration);
    const before = { settings: settingsOf(row), secrets: openSecrets(deps.secretBox, id, row.sealedSecrets) };
    const after = decideChangedSettings(before.settings, before.secrets, input, workspaceZone);
    const agentFaults = decideAgentFaults(kinds, before.settings, after.settings);
    const moves = PLACE_FIELDS.some((field) => input[field] !== undefined);
    const known = moves ? [] : namedHosts(before.settings).map(({ host }) => host);
    const hosts = namedHosts(after.settings).filter(({ host }) => !known.includes(host));
    const placed = moves || hosts.length > 0 ? await placeFaults({ ...after.settings, hosts }) : [];
    requireConsistentSettings({
      faults: [...after.faults, ...dependencyFaults[at]!, ...teamFaults[at]!, ...agentFaults, ...placed],
    });
    decided.set(id, { row, configuration, before, after });
  });
  const isResumed = ({ id }: NamedChange) => {
    const { before, after } = decided.get(id)!;
    return kindOfChange(before.settings, after.settings) === 'resumed';
  };
  const entitlements = owner ?? (await workspaceEntitlements(tx, workspaceId));
  let running = owner && refusals.left.some(isResumed) ? await ownerMonitorStore.countRunning(owner.ownerId, tx) : 0;
  await refusals.check((change) => {
    const resumes = owner !== null && isResumed(change);
    if (resumes) requireWithinLimit(owner, 'monitors', running + 1, 'monitoringStatus', 'paused');
    requirePlanCovers(entitlements, change.input, { isNew: false });
    if (resumes) running++;
  });
  const joining = refusals.left.flatMap(({ id }) => joiningMonitor(decided.get(id)!));
  const typeFaults = await findTypeFaults(tx, workspaceId, joining);
  refusals.refuse(({ id }) => typeFaults.get(id));
  const left = refusals.left.map(({ id }) => decided.get(id)!);
  const applied = await applyChanges(deps, tx, actor, left);
  const leftIds = left.map(({ row: { id } }) => id);
  const views = await findTagged(deps, tx, actor, leftIds, deps.clock.now());
  const audited = left.flatMap(({ row: { id }, configuration }) => {
    const after = views.get(id)!.configuration;
    const change = applied.get(id);
    const target = { id, name: after.name };
    const action = 'monitor.updated' as const;
    return change ? [{ workspaceId, action, target, before: configuration, after, secrets: change.secrets }] : [];
  });
  await recordAudit(deps, tx, actor, ...audited);
  const changes = [...applied.values()].map(({ change }) => change);
  return { results: refusals.results(({ id }) => views.get(id)!), changes };
}

/** What is stored stays valid for the installation that accepted it, until a change names a place, or another host. */
const PLACE_FIELDS = ['url', 'homeRegion', 'enabledRegions', 'privateLocations'] as const;

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
  decided: readonly Decided[],
): Promise<ReadonlyMap<string, Applied>> {
  const { workspaceId } = actor.workspace;
  const nowMs = deps.clock.now();
  const changed: (Applied & { written: MonitorRow })[] = [];
  const pause = inSlices();
  for (const { row, before, after } of decided) {
    await pause();
    const sameSecrets = isDeepStrictEqual(before.secrets, after.secrets);
    if (sameSecrets && isDeepStrictEqual(before.settings, after.settings)) continue;
    const isDue = decideChecksChanged(before, after);
    const sealedSecrets = sameSecrets ? row.sealedSecrets : sealSecrets(deps.secretBox, row.id, after.secrets);
    const { written, change } = changedMonitor(workspaceId, row, after.settings, isDue, nowMs);
    const secrets = changedSecrets(after.settings, before.secrets, after.secrets);
    changed.push({ written: { ...written, sealedSecrets }, change, secrets });
  }
  await storeMonitors(deps, tx, actor, changed);
  return new Map(changed.map(({ change, secrets }) => [change.monitorId, { change, secrets }]));
}

/** Stores changed monitors, and notifies the listeners of their changes. */
export async function storeMonitors(
  deps: Pick<MonitorDeps, 'listeners'>,
  tx: Tx,
  actor: Actor,
  changed: readonly { written: MonitorRow; change: MonitorChange }[],
): Promise<void> {
  if (changed.length === 0) return;
  const written = changed.map((one) => one.written);
  await monitorStore.update(actor.workspace.workspaceId, tx, written);
  const changes = changed.map(({ change }) => change);
  await notifyListeners(deps, tx, changes, actor);
}

/** A monitor that joins a group or changes its types in one, whose types must be free there. */
function joiningMonitor({ row, after: { settings } }: Decided): JoiningMonitor[] {
  const { serviceGroupId, monitorTypes } = settings;
  const moves = serviceGroupId !== row.serviceGroupId;
  if (serviceGroupId === null || (!moves && isDeepStrictEqual(monitorTypes, row.monitorTypes))) return [];
  return [{ ...settings, id: row.id, path: moves ? 'serviceGroupId' : 'monitorTypes' }];
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
      addedTags: settings.tags.filter((tag) => !row.tags.includes(tag)),
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
