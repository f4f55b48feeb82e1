import { isDeepStrictEqual } from 'node:util';
import { laterThan } from '@watchpost/shared/clock';
import { Fault, type FaultDetail, found, invalidField, invalidFields } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { recordAudit } from '../audit/index.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { Actor } from '../../platform/identity/caller.js';
import { requireFeature, workspaceEntitlements } from '../plans/index.js';
import { BUILT_IN, type EscalationPolicy, type EscalationStep, type EscalationTarget } from './escalation-policy.js';
import {
  type EscalationPolicyInput,
  type EscalationPolicyPatch,
  escalationPolicySchema,
  type EscalationPolicyView,
  MAX_POLICIES,
} from './escalation-policy-schemas.js';
import { type EscalationPolicyRow, escalationPolicyStore, type KnownTargets } from './escalation-policy-store.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { readSchedules } from './read-on-call.js';
import type { TeamPlanRow } from './team-plan-store.js';
import { lockTeam } from './teams.js';
import { teamStore } from './team-store.js';

interface Key {
  id: string;
  policyId: string;
}

/** The policies of a team in the order in which they count, the built-in one last. @throws Fault `not_found` */
export async function listPolicies(
  deps: ScheduleDeps,
  { workspace: { workspaceId } }: Actor,
  teamId: string,
  { limit, offset }: Rows,
): Promise<ListPage<EscalationPolicyView>> {
  const all = await deps.db.read((tx) => readPolicies(deps, tx, workspaceId, teamId));
  return { items: all.slice(offset, offset + limit), total: all.length };
}

/** @throws Fault `not_found` */
export async function getPolicy(
  deps: ScheduleDeps,
  { workspace: { workspaceId } }: Actor,
  key: Key,
): Promise<EscalationPolicyView> {
  return deps.db.read((tx) => readOne(deps, tx, workspaceId, key));
}

/** @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed` */
export async function createPolicy(
  deps: ScheduleDeps,
  actor: Actor,
  teamId: string,
  input: EscalationPolicyInput,
): Promise<EscalationPolicyView> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    await lockTeam(tx, workspaceId, teamId);
    if ((await escalationPolicyStore.list(workspaceId, tx, [teamId])).length >= MAX_POLICIES) {
      const message = `A team has at most ${MAX_POLICIES} escalation policies: delete one first.`;
      throw new Fault('validation_failed', message, [{ path: '', message }]);
    }
    await requireTargets(tx, workspaceId, teamId, input.steps);
    // Read after taking the lock, so that creation times follow the order of the lock.
    const nowMs = deps.clock.now();
    const id = newId(nowMs);
    const now = new Date(nowMs);
    await escalationPolicyStore.insert(workspaceId, tx, { ...input, id, teamId, created: now, lastModified: now });
    const made = await readOne(deps, tx, workspaceId, { id: teamId, policyId: id });
    await recordAudit(deps, tx, actor, { action: 'escalation_policy.created', target: made, after: contentOf(made) });
    return made;
  });
}

/** @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`, `precondition_failed` */
export async function updatePolicy(
  deps: ScheduleDeps,
  actor: Actor,
  key: Key,
  patch: EscalationPolicyPatch,
): Promise<EscalationPolicyView> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    await lockTeam(tx, workspaceId, key.id);
    const before = await readOwn(deps, tx, workspaceId, key);
    actor.checkPrecondition?.(before);
    const { name = before.name, severities = before.severities, steps = before.steps } = patch;
    const { repeat = before.repeat, ackTimeout = before.ackTimeout } = patch;
    const next = { name, severities, steps, repeat, ackTimeout };
    if (isDeepStrictEqual({ teamId: key.id, ...next }, contentOf(before))) return before;
    if (patch.steps) await requireTargets(tx, workspaceId, key.id, steps);
    const lastModified = laterThan(new Date(before.lastModified), deps.clock.now());
    await escalationPolicyStore.update(workspaceId, tx, key, { ...next, lastModified });
    const after = await readOne(deps, tx, workspaceId, key);
    await recordAudit(deps, tx, actor, {
      action: 'escalation_policy.updated',
      target: after,
      before: contentOf(before),
      after: contentOf(after),
    });
    return after;
  });
}

/** Deletes a policy. Incidents that it pages for go on with the one that counts then. @throws Fault `not_found`, `precondition_failed`, `validation_failed` */
export async function deletePolicy(deps: ScheduleDeps, actor: Actor, key: Key): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId, key.id);
    const before = await readOwn(deps, tx, workspaceId, key);
    actor.checkPrecondition?.(before);
    await escalationPolicyStore.remove(workspaceId, tx, key.id, key.policyId);
    await recordAudit(deps, tx, actor, {
      action: 'escalation_policy.deleted',
      target: before,
      before: contentOf(before),
    });
  });
}

async function readOne(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  { id, policyId }: Key,
): Promise<EscalationPolicyView> {
  return found(
    (await readPolicies(deps, tx, workspaceId, id)).find((one) => one.id === policyId),
    'escalation policy',
  );
}

/** One that can be changed. @throws Fault `not_found`, `validation_failed` for the built-in one */
async function readOwn(deps: ScheduleDeps, tx: Tx, workspaceId: string, key: Key): Promise<EscalationPolicyView> {
  const policy = await readOne(deps, tx, workspaceId, key);
  if (policy.builtIn)
    throw invalidField('', 'The built-in policy cannot be changed: create one, which counts in its place.');
  return policy;
}

/** The policies of a team, as `listPolicies` returns them. @throws Fault `not_found` */
export async function readPolicies(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  teamId: string,
): Promise<EscalationPolicyView[]> {
  const { plan, hasRotations } = await readSchedules(tx, workspaceId, teamId);
  const { created, lastModified } = found(await teamStore.find(workspaceId, tx, teamId), 'team');
  const rows = await escalationPolicyStore.list(workspaceId, tx, [teamId]);
  const problemOf = rows.length === 0 ? () => undefined : await problemFinder(deps, tx, workspaceId, plan, rows);
  const builtIn: EscalationPolicyRow = { ...BUILT_IN, id: teamId, teamId, created, lastModified };
  return [...rows, builtIn].map((row) =>
    viewOf(escalationPolicySchema, {
      ...row,
      builtIn: row === builtIn,
      // Nobody chose the targets of the built-in one.
      problems: row === builtIn ? [] : faultsOf(row.steps, problemOf),
      planRestricted: row !== builtIn && !hasRotations,
    }),
  );
}

/** Finds what is wrong with a target of policies of a team: it is gone, or nobody is reached by it now. */
async function problemFinder(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  team: TeamPlanRow,
  rows: readonly EscalationPolicyRow[],
): Promise<(target: EscalationTarget) => string | undefined> {
  const named = namedBy(rows.flatMap(({ steps }) => steps));
  const known = await escalationPolicyStore.known(workspaceId, tx, named);
  const active = team.people.filter(({ isActive }) => isActive);
  const userIds = [...new Set([...named.userIds, ...active.map(({ userId }) => userId)])];
  const reach = await deps.reachOf(tx, workspaceId, userIds);
  const reached = new Set(reach.flatMap(({ userId, channels }) => (channels.length > 0 ? [userId] : [])));
  const hearing = await deps.hearingGroups(tx, workspaceId, named.groupIds);
  const isAnyReached = (people: typeof active) => people.some(({ userId }) => reached.has(userId));
  const unreached = (target: EscalationTarget): string | undefined => {
    switch (target.type) {
      case 'user':
        return reached.has(target.id) ? undefined : 'cannot be paged by any channel';
      case 'actionGroup':
        return hearing.has(target.id) ? undefined : 'notifies nobody now';
      case 'leads':
        return isAnyReached(active.filter(({ isLead }) => isLead)) ? undefined : 'has no lead who can be paged';
      case 'team':
        return isAnyReached(active) ? undefined : 'has no member who can be paged';
      case 'onCall':
        return team.schedules.some(({ layers }) => layers.length > 0) ? undefined : 'has no schedule yet';
    }
  };
  return (target) => goneFault(target, team, known) ?? unreached(target);
}

/** The people and action groups that steps name. */
function namedBy(steps: readonly EscalationStep[]): { userIds: string[]; groupIds: string[] } {
  const targets = steps.flatMap((step) => step.targets);
  return {
    userIds: targets.flatMap((one) => (one.type === 'user' ? [one.id] : [])),
    groupIds: targets.flatMap((one) => (one.type === 'actionGroup' ? [one.id] : [])),
  };
}

/** @throws Fault `validation_failed` with every target that the team cannot page */
async function requireTargets(
  tx: Tx,
  workspaceId: string,
  teamId: string,
  steps: readonly EscalationStep[],
): Promise<void> {
  const { plan } = await readSchedules(tx, workspaceId, teamId);
  const known = await escalationPolicyStore.known(workspaceId, tx, namedBy(steps));
  const faults = faultsOf(steps, (target) => goneFault(target, plan, known));
  if (faults.length > 0) throw invalidFields(faults);
}

function faultsOf(
  steps: readonly EscalationStep[],
  faultOf: (target: EscalationTarget) => string | undefined,
): FaultDetail[] {
  return steps.flatMap(({ targets }, at) =>
    targets.flatMap((target, index) => {
      const message = faultOf(target);
      return message === undefined ? [] : [{ path: `steps.${at}.targets.${index}`, message }];
    }),
  );
}

function goneFault(target: EscalationTarget, { schedules }: TeamPlanRow, known: KnownTargets): string | undefined {
  if (target.type === 'user' && !known.userIds.has(target.id)) return 'must be an active member of this workspace';
  if (target.type === 'actionGroup' && !known.groupIds.has(target.id))
    return 'must be an action group of this workspace';
  if (target.type !== 'onCall' || target.scheduleId === undefined) return undefined;
  return schedules.some(({ id }) => id === target.scheduleId) ? undefined : 'must be a schedule of this team';
}

/** For the audit log. */
function contentOf({ teamId, name, severities, steps, repeat, ackTimeout }: EscalationPolicyView): EscalationPolicy & {
  teamId: string;
} {
  return { teamId, name, severities, steps, repeat, ackTimeout };
}
