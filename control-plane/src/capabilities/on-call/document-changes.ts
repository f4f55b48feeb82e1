import type { SectionChange, SectionRun } from '../../platform/documents/document-section.js';
import type { Fields } from '../../platform/documents/fields.js';
import type { Actor } from '../../platform/identity/caller.js';
import { type Members, type Overrides, type Policies, type TeamPatch, withTargets } from './document-shape.js';
import { createPolicy, deletePolicy, listPolicies, updatePolicy } from './escalation-policies.js';
import type { EscalationTarget } from './escalation-policy.js';
import { MAX_POLICIES } from './escalation-policy-schemas.js';
import type { ScheduleDeps, TeamDeps } from './on-call-deps.js';
import { addOverride, removeOverride } from './overrides.js';
import { routeServiceGroup, unrouteServiceGroup } from './routing.js';
import { removeSchedule, setSchedule } from './schedule.js';
import { MAX_SCHEDULES } from './schedule-schemas.js';
import { createSchedule, deleteSchedule, listSchedules, updateSchedule } from './schedules.js';
import { addTeamMember, changeTeamMember, removeTeamMember } from './team-members.js';
import { teamPlanStore } from './team-plan-store.js';

/** Gives a team the members, the rotation and the service groups that the document names, by the verb for each. */
export async function changeTeam(
  deps: ScheduleDeps & TeamDeps,
  run: SectionRun,
  change: SectionChange<TeamPatch>,
): Promise<void> {
  const { actor, before } = run;
  const { id, input } = change;
  const current = before.get(id)?.fields ?? { members: [], schedule: null, schedules: [], serviceGroupIds: [] };
  if (input.members) await changeMembers(deps, run, change, input.members, current['members'] as Members);

  await changeSchedules(deps, run, change, current);
  if (input.overrides) await changeOverrides(deps, run, change, input.overrides);
  if (input.escalationPolicies) await changePolicies(deps, run, change, input.escalationPolicies);
  if (!input.serviceGroupIds) return;
  const routed = new Set(current['serviceGroupIds'] as string[]);
  const groups = new Set(input.serviceGroupIds);
  await run.each(
    [change],
    async () => {
      for (const serviceGroupId of routed)
        if (!groups.has(serviceGroupId)) await unrouteServiceGroup(deps, actor, { id, serviceGroupId });
      for (const serviceGroupId of groups)
        if (!routed.has(serviceGroupId)) await routeServiceGroup(deps, actor, { id, serviceGroupId });
    },
    'serviceGroups',
  );
}

async function changeSchedules(
  deps: ScheduleDeps,
  run: SectionRun,
  change: SectionChange<TeamPatch>,
  current: Fields,
): Promise<void> {
  const { actor } = run;
  const { schedule, schedules } = change.input;
  const teamId = change.id;
  const userOf = (one: string) => run.context.people.userOf(one)!;
  const hasLayers = (current['schedules'] as unknown[]).length > 0;
  const idsBy = () => scheduleIdsOf(deps, actor, teamId);
  const removeFrom = async (count: number): Promise<void> => {
    for (const scheduleId of (await idsBy()).slice(count))
      await deleteSchedule(deps, actor, { id: teamId, scheduleId });
  };
  if (schedules && schedules.length > 0) {
    const ids = await idsBy();
    for (const [index, { layers, ...one }] of schedules.entries()) {
      const input = {
        ...one,
        layers: layers.map((each) => ({ ...each, participants: each.participants.map(userOf) })),
      };
      const scheduleId = ids[index];
      await run.each(
        [change],
        () =>
          scheduleId === undefined
            ? createSchedule(deps, actor, teamId, input, true)
            : updateSchedule(deps, actor, { id: teamId, scheduleId }, input, true),
        isWithin(`schedules.${index}`),
      );
    }
    await run.each([change], () => removeFrom(schedules.length), 'schedules');
    return;
  }
  if (schedules && hasLayers) await run.each([change], () => removeFrom(0), 'schedules');
  if (schedule) {
    const participants = schedule.participants.map(userOf);
    await run.each(
      [change],
      () => setSchedule(deps, actor, teamId, { ...schedule, participants }),
      isWithin('schedule'),
    );
  } else if (schedule === null && current['schedule'] !== null)
    await run.each([change], () => removeSchedule(deps, actor, teamId), 'schedule');
}

const isWithin = (place: string) => (path: string) => `${place}${path === '' ? '' : `.${path}`}`;

async function scheduleIdsOf(deps: ScheduleDeps, actor: Actor, teamId: string): Promise<string[]> {
  const { items } = await listSchedules(deps, actor, teamId, { limit: MAX_SCHEDULES, offset: 0 });
  return items.map(({ id }) => id);
}

/**
 * Makes the overrides that the document has and removes the others, but those that are over and those of swaps. Of two that
 * overlap the one that was made later counts, so what is made follows what stays, in the order of the document.
 */
async function changeOverrides(
  deps: ScheduleDeps,
  run: SectionRun,
  change: SectionChange<TeamPatch>,
  wanted: Overrides,
): Promise<void> {
  const { actor, tx, context } = run;
  const { id } = change;
  const nowMs = deps.clock.now();
  const { schedules } = (await teamPlanStore.find(actor.workspace.workspaceId, tx, id))!;
  const contentOf = (userId: string, start: number, end: number, reason: string | null) =>
    JSON.stringify([userId, start, end, reason]);
  const present = schedules.map(({ id: scheduleId, overrides }) => ({
    scheduleId,
    rest: overrides
      .filter(({ swapId, ends }) => swapId === null && ends.getTime() > nowMs)
      .toReversed()
      .map((one) => ({
        overrideId: one.id,
        content: contentOf(one.userId, one.starts.getTime(), one.ends.getTime(), one.reason),
      })),
    removed: [] as string[],
    isMade: false,
  }));
  const made = [...wanted.entries()].flatMap(([index, { schedule: place, email, start, end, reason }]) => {
    if (end <= nowMs) return [];
    const input = { userId: context.people.userOf(email)!, start, end, reason };
    const of = present[place - 1];
    // The schedule of a team without one is made.
    if (!of) return [{ index, key: { id }, input }];
    const content = contentOf(input.userId, start, end, reason);
    const at = of.isMade ? -1 : of.rest.findIndex((one) => one.content === content);
    if (at === -1) {
      of.isMade = true;
      return [{ index, key: { id, scheduleId: of.scheduleId }, input }];
    }
    of.removed.push(
      ...of.rest
        .splice(0, at + 1)
        .slice(0, -1)
        .map(({ overrideId }) => overrideId),
    );
    return [];
  });
  // First, so that a team with as many as it may have has room.
  for (const { scheduleId, rest, removed } of present)
    for (const overrideId of [...removed, ...rest.map((one) => one.overrideId)])
      await run.each([change], () => removeOverride(deps, actor, { id, scheduleId, overrideId }), 'overrides');
  for (const { index, key, input } of made)
    await run.each(
      [change],
      () => addOverride(deps, actor, key, input),
      (path) => `overrides.${index}${path === 'userId' ? '.email' : path === '' ? '' : `.${path}`}`,
    );
}

/** Gives a team these policies: their order identifies them. */
async function changePolicies(
  deps: ScheduleDeps,
  run: SectionRun,
  change: SectionChange<TeamPatch>,
  wanted: Policies,
): Promise<void> {
  const { actor } = run;
  const { people } = run.context;
  const scheduleIds = await scheduleIdsOf(deps, actor, change.id);
  const all = await listPolicies(deps, actor, change.id, { limit: MAX_POLICIES + 1, offset: 0 });
  const ids = all.items.flatMap(({ id, builtIn }) => (builtIn ? [] : [id]));
  const inputs = withTargets(wanted, (target): EscalationTarget => {
    if (target.type === 'user') return { type: 'user', id: people.userOf(target.email)! };
    if (target.type === 'actionGroup') return { type: 'actionGroup', id: target.actionGroupId };
    if (target.type !== 'onCall') return target;
    const { schedule } = target;
    if (schedule === 1) return { type: 'onCall' };
    // A place without a schedule has an id that no schedule has, which is the fault.
    const scheduleId = typeof schedule === 'string' ? schedule : (scheduleIds[schedule - 1] ?? change.id);
    return { type: 'onCall', scheduleId };
  });
  for (const [index, input] of inputs.entries()) {
    const policyId = ids[index];
    await run.each(
      [change],
      () =>
        policyId === undefined
          ? createPolicy(deps, actor, change.id, input)
          : updatePolicy(deps, actor, { id: change.id, policyId }, input),
      isWithin(`escalationPolicies.${index}`),
    );
  }
  for (const policyId of ids.slice(wanted.length))
    await run.each([change], () => deletePolicy(deps, actor, { id: change.id, policyId }), 'escalationPolicies');
}

async function changeMembers(
  deps: ScheduleDeps,
  run: SectionRun,
  change: SectionChange<TeamPatch>,
  wanted: Members,
  current: Members,
): Promise<void> {
  const { actor } = run;
  const { people } = run.context;
  const { id, given } = change;
  const named = ((given['members'] ?? []) as Members).map(({ email }) => people.canonical(email.trim().toLowerCase()));
  const userOf = (email: string) => people.userOf(email)!;
  const roles = new Map(current.map(({ email, teamRole }) => [email, teamRole]));
  const stay = new Map(wanted.map(({ email, teamRole }) => [people.canonical(email), teamRole]));
  for (const email of roles.keys())
    if (!stay.has(email))
      await run.each([change], () => removeTeamMember(deps, actor, { id, userId: userOf(email) }), 'members');
  for (const [email, teamRole] of stay) {
    const [role, userId] = [roles.get(email), userOf(email)];
    if (role !== teamRole)
      await run.each(
        [change],
        () =>
          role === undefined
            ? addTeamMember(deps, actor, id, { userId, teamRole })
            : changeTeamMember(deps, actor, { id, userId }, { teamRole }),
        (path) => `members.${named.indexOf(email)}${path === 'userId' ? '.email' : ''}`,
      );
  }
}
