import { invalidField, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { type OwnChange, recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { Actor } from '../../platform/identity/caller.js';
import { requireFeature, workspaceEntitlements } from '../plans/index.js';
import { endSwap } from './follow-swaps.js';
import type { OnCallDeps, ScheduleDeps } from './on-call-deps.js';
import { type OverrideRow, overrideStore } from './override-store.js';
import { type ScheduleKey, scheduleOf } from './read-on-call.js';
import { MAX_OVERRIDES, type Override, type OverrideInput, overrideSchema } from './schedule-schemas.js';
import { emptySchedule, scheduleStore } from './schedule-store.js';
import { swapStore } from './swap-store.js';
import { teamMemberStore } from './team-member-store.js';
import { teamPlanStore } from './team-plan-store.js';
import type { TeamRow } from './team-store.js';
import { lockTeam } from './teams.js';

/** Past overrides are kept at least this long when the limit requires deletion. */
const KEPT_AFTER_END_MS = 90 * 86_400_000;

/**
 * Puts a member of the team on call for a time, in place of the rotation and earlier overrides.
 * @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`
 */
export async function addOverride(
  deps: OnCallDeps,
  actor: Actor,
  { id: teamId, scheduleId }: ScheduleKey,
  input: OverrideInput,
): Promise<Override> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    const team = await lockTeam(tx, workspaceId, teamId);
    const nowMs = deps.clock.now();
    const active = await teamMemberStore.lockActive(workspaceId, tx, teamId, [input.userId]);
    if (!active.has(input.userId)) throw invalidField('userId', 'must be an active member of this team');
    await requireRoomForOverride(tx, workspaceId, teamId, nowMs);
    const row: OverrideRow = {
      id: newId(nowMs),
      userId: input.userId,
      starts: new Date(input.start),
      ends: new Date(input.end),
      reason: input.reason,
      created: new Date(nowMs),
    };
    const of = { teamId, scheduleId: await scheduleForOverride(tx, workspaceId, { id: teamId, scheduleId }, nowMs) };
    await overrideStore.insert(workspaceId, tx, of, row);
    await recordAudit(deps, tx, actor, overrideChange(team, row, 'override.created'));
    return describeOverride(row);
  });
}

/** Removes an override. A swap that put it there becomes void. @throws Fault `not_found`, `precondition_failed` */
export async function removeOverride(
  deps: ScheduleDeps,
  actor: Actor,
  { id: teamId, scheduleId, overrideId }: ScheduleKey & { overrideId: string },
): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const team = await lockTeam(tx, workspaceId, teamId);
    const plan = found(await teamPlanStore.find(workspaceId, tx, teamId), 'team');
    const schedule = scheduleOf(plan, scheduleId);
    const of = schedule && { teamId, scheduleId: schedule.id };
    const row = found(of && (await overrideStore.find(workspaceId, tx, of, overrideId)), 'override');
    actor.checkPrecondition?.(describeOverride(row));
    const swap = row.swapId ? await swapStore.find(workspaceId, tx, of!, row.swapId) : null;
    if (swap && swap.shiftEnd.getTime() > deps.clock.now())
      await endSwap(deps, tx, workspaceId, plan, swap, 'The override for this shift was removed, so the swap is void.');
    await overrideStore.remove(workspaceId, tx, teamId, overrideId);
    await recordAudit(deps, tx, actor, overrideChange(team, row, 'override.deleted'));
  });
}

/** A team without a schedule gets one without layers, which has the override. @returns its id */
async function scheduleForOverride(tx: Tx, workspaceId: string, key: ScheduleKey, nowMs: number): Promise<string> {
  const schedule = scheduleOf(found(await teamPlanStore.find(workspaceId, tx, key.id), 'team'), key.scheduleId);
  if (schedule) return schedule.id;
  const row = emptySchedule(nowMs);
  await scheduleStore.save(workspaceId, tx, key.id, row, true);
  return row.id;
}

/** Deletes old overrides of a team where it has too many. @throws Fault `validation_failed` where they are not old enough */
export async function requireRoomForOverride(
  tx: Tx,
  workspaceId: string,
  teamId: string,
  nowMs: number,
): Promise<void> {
  if ((await overrideStore.count(workspaceId, tx, teamId)) < MAX_OVERRIDES) return;
  await overrideStore.removeEndedBefore(workspaceId, tx, teamId, new Date(nowMs - KEPT_AFTER_END_MS));
  if ((await overrideStore.count(workspaceId, tx, teamId)) < MAX_OVERRIDES) return;
  throw invalidField('', `A team has at most ${MAX_OVERRIDES} overrides: delete one first.`);
}

/** For the audit log: the target is the override, under the name of its team. */
function overrideChange(team: TeamRow, row: OverrideRow, action: 'override.created' | 'override.deleted'): OwnChange {
  const content = { teamId: team.id, ...describeOverride(row) };
  const [before, after] = action === 'override.created' ? [null, content] : [content, null];
  return { action, target: { id: row.id, name: team.name }, before, after };
}

export function describeOverride(row: OverrideRow): Override {
  return viewOf(overrideSchema, { ...row, start: row.starts, end: row.ends, lastModified: row.created });
}
