import { isDeepStrictEqual } from 'node:util';
import { laterThan } from '@watchpost/shared/clock';
import { type FaultDetail, invalidFields, notFound, found } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { requireFeature, workspaceEntitlements } from '../plans/index.js';
import { decideSchedule, type ScheduleSettings } from './decide-schedule.js';
import { decideTeamCoverage } from './decide-team-coverage.js';
import type { OnCallDeps } from './on-call-deps.js';
import { describeOverride } from './overrides.js';
import { describeShifts, personIn, planOfTeam, PREVIEW_DAYS } from './read-on-call.js';
import type { OnCallShiftView, Schedule, ScheduleInput } from './schedule-schemas.js';
import { type ScheduleRow, scheduleStore } from './schedule-store.js';
import { teamMemberStore } from './team-member-store.js';
import { type TeamPlanRow, teamPlanStore } from './team-plan-store.js';
import { lockTeam } from './teams.js';

/** The rotation of a team, nulls before one is set, and its overrides. @throws Fault `not_found` */
export async function getSchedule(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  teamId: string,
): Promise<Schedule> {
  return deps.db.read(async (tx) => (await readSchedule(tx, workspaceId, teamId)).view);
}

/**
 * Sets the rotation of a team, or the fields of it that `input` names.
 * @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`, `precondition_failed`
 */
export async function setSchedule(
  deps: OnCallDeps,
  actor: Actor,
  teamId: string,
  input: ScheduleInput,
): Promise<Schedule> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    const team = await lockTeam(tx, workspaceId, teamId);
    const { view, schedule: before } = await readSchedule(tx, workspaceId, teamId);
    actor.checkPrecondition?.(view);
    const nowMs = deps.clock.now();
    const settings = await nextSettings(tx, { workspaceId, teamId }, before, input, nowMs);
    const isSame = before !== null && isDeepStrictEqual({ ...before, ...settings }, before);
    if (isSame) return view;
    const lastModified = before ? laterThan(before.lastModified, nowMs) : new Date(nowMs);
    const row = { ...settings, created: before?.created ?? lastModified, lastModified };
    await scheduleStore.save(workspaceId, tx, teamId, row);
    if (input.participants) await scheduleStore.replaceParticipants(workspaceId, tx, teamId, input.participants);
    const { view: after } = await readSchedule(tx, workspaceId, teamId);
    await recordAudit(deps, tx, actor, {
      action: 'schedule.updated',
      target: { id: teamId, name: team.name },
      before: rotationOf(view),
      after: rotationOf(after),
    });
    return after;
  });
}

/**
 * Ends the rotation of a team. Its overrides stay.
 * @throws Fault `not_found` where none is set, `precondition_failed`
 */
export async function removeSchedule(deps: OnCallDeps, actor: Actor, teamId: string): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const team = await lockTeam(tx, workspaceId, teamId);
    const { view, schedule } = await readSchedule(tx, workspaceId, teamId);
    if (!schedule) throw notFound('schedule');
    actor.checkPrecondition?.(view);
    await scheduleStore.remove(workspaceId, tx, teamId);
    await recordAudit(deps, tx, actor, {
      action: 'schedule.deleted',
      target: { id: teamId, name: team.name },
      before: rotationOf(view),
    });
  });
}

/**
 * The final shifts of the next 28 days as if `setSchedule` had been called with this input. Nothing changes.
 * @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`
 */
export async function previewNewSchedule(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  teamId: string,
  input: ScheduleInput,
): Promise<OnCallShiftView[]> {
  const nowMs = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    const { plan } = await readSchedule(tx, workspaceId, teamId);
    const settings = await nextSettings(tx, { workspaceId, teamId }, plan.schedule, input, nowMs);
    const { hasRotations } = decideTeamCoverage(await workspaceEntitlements(tx, workspaceId), plan);
    const next = { ...plan, schedule: { ...settings, created: new Date(nowMs), lastModified: new Date(nowMs) } };
    const range = { fromMs: nowMs, toMs: nowMs + PREVIEW_DAYS * DAY_MS };
    return describeShifts(planOfTeam(next, hasRotations), personIn(plan), range);
  });
}

/** @throws Fault `validation_failed` with all faults */
async function nextSettings(
  tx: Tx,
  { workspaceId, teamId }: { workspaceId: string; teamId: string },
  before: ScheduleRow | null,
  input: ScheduleInput,
  nowMs: number,
): Promise<ScheduleSettings> {
  const { settings, faults } = decideSchedule(before, input, nowMs);
  const strangers = await strangersAmong(tx, workspaceId, teamId, input.participants ?? []);
  const details = [...(faults ?? []), ...strangers];
  if (settings && details.length === 0) return settings;
  throw invalidFields(details);
}

/** For the audit log: what this verb changes. */
function rotationOf({ rotation, timezone, handoffTime, handoffDay, startDate, participants }: Schedule): object {
  return { rotation, timezone, handoffTime, handoffDay, startDate, participants };
}

async function strangersAmong(
  tx: Tx,
  workspaceId: string,
  teamId: string,
  userIds: readonly string[],
): Promise<FaultDetail[]> {
  if (userIds.length === 0) return [];
  const active = await teamMemberStore.lockActive(workspaceId, tx, teamId, userIds);
  return userIds.flatMap((userId, index) =>
    active.has(userId) ? [] : [{ path: `participants.${index}`, message: 'must be an active member of this team' }],
  );
}

async function readSchedule(
  tx: Tx,
  workspaceId: string,
  teamId: string,
): Promise<{ view: Schedule; schedule: ScheduleRow | null; plan: TeamPlanRow }> {
  const plan = found(await teamPlanStore.find(workspaceId, tx, teamId), 'team');
  const { hasRotations } = decideTeamCoverage(await workspaceEntitlements(tx, workspaceId), plan);
  return { view: describeSchedule(teamId, plan, !hasRotations), schedule: plan.schedule, plan };
}

function describeSchedule(teamId: string, plan: TeamPlanRow, planRestricted: boolean): Schedule {
  const { schedule, overrides, people } = plan;
  const suspended = new Set(people.filter(({ isActive }) => !isActive).map(({ userId }) => userId));
  const participants = schedule?.turns.filter((userId) => userId !== null) ?? null;
  return {
    teamId,
    rotation: schedule?.rotation ?? null,
    timezone: schedule?.timezone ?? null,
    handoffTime: schedule?.handoffTime ?? null,
    handoffDay: schedule?.handoffDay ?? null,
    startDate: schedule?.startDate ?? null,
    participants,
    unavailable: (participants ?? []).filter((userId) => suspended.has(userId)),
    overrides: overrides.toSorted((a, b) => a.starts.getTime() - b.starts.getTime()).map(describeOverride),
    planRestricted,
    created: schedule?.created.toISOString() ?? null,
    lastModified: schedule?.lastModified.toISOString() ?? null,
  };
}
