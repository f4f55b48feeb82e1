import { isDeepStrictEqual } from 'node:util';
import { laterThan } from '@watchpost/shared/clock';
import { type FaultDetail, invalidFields, notFound } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { requireFeature, workspaceEntitlements } from '../plans/index.js';
import { baseFinder, decideFormer } from './decide-on-call.js';
import type { Layers } from './decide-rotation.js';
import { decideSchedule, simpleRotationOf } from './decide-schedule.js';
import { followSwaps } from './follow-swaps.js';
import type { OnCallDeps, ScheduleDeps } from './on-call-deps.js';
import { describeOverride } from './overrides.js';
import {
  type AskedRange,
  describeShifts,
  personIn,
  planOfTeam,
  readSchedules,
  shownRange,
  type StoredSchedules,
} from './read-on-call.js';
import type { HolidayCalendar } from './schedule.entity.js';
import type { OnCallShiftView, Schedule, ScheduleInput } from './schedule-schemas.js';
import { emptySchedule, type ScheduleRow, scheduleStore } from './schedule-store.js';
import { teamMemberStore } from './team-member-store.js';
import type { PlannedSchedule, TeamPlanRow } from './team-plan-store.js';
import { lockTeam } from './teams.js';

/** The first schedule of a team: nulls before a rotation is set, and its overrides. @throws Fault `not_found` */
export async function getSchedule(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  teamId: string,
): Promise<Schedule> {
  return deps.db.read(async (tx) => describeSchedule(await readSchedules(tx, workspaceId, teamId)));
}

/**
 * Sets the rotation of a team, or the fields of it that `input` names: the first layer of its first schedule. It does what the
 * specification has for it and refuses no more than that, so that whether its people can be paged is not asked.
 * @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`, `precondition_failed`
 */
export async function setSchedule(
  deps: ScheduleDeps,
  actor: Actor,
  teamId: string,
  input: ScheduleInput,
): Promise<Schedule> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    const team = await lockTeam(tx, workspaceId, teamId);
    const stored = await readSchedules(tx, workspaceId, teamId);
    const view = describeSchedule(stored);
    actor.checkPrecondition?.(view);
    const nowMs = deps.clock.now();
    const [before] = stored.plan.schedules;
    const layers = await nextLayers(tx, { workspaceId, teamId }, before, input, nowMs);
    if (!(await saveLayers(tx, workspaceId, stored, before, layers, nowMs))) return view;
    await followSwaps(deps, tx, workspaceId, teamId);
    const after = describeSchedule(await readSchedules(tx, workspaceId, teamId));
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
 * Ends the rotation of a team: all layers of its first schedule. Overrides stay.
 * @throws Fault `not_found` where none is set, `precondition_failed`
 */
export async function removeSchedule(deps: ScheduleDeps, actor: Actor, teamId: string): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const team = await lockTeam(tx, workspaceId, teamId);
    const stored = await readSchedules(tx, workspaceId, teamId);
    const view = describeSchedule(stored);
    const [before] = stored.plan.schedules;
    if (!before || before.layers.length === 0) throw notFound('schedule');
    actor.checkPrecondition?.(view);
    await saveLayers(
      tx,
      workspaceId,
      stored,
      before,
      { timezone: before.timezone, layers: [], holidays: before.holidays },
      deps.clock.now(),
    );
    await followSwaps(deps, tx, workspaceId, teamId);
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
  const changed = await deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    const stored = await readSchedules(tx, workspaceId, teamId);
    const [before] = stored.plan.schedules;
    return { stored, before, layers: await nextLayers(tx, { workspaceId, teamId }, before, input, nowMs) };
  });
  return previewLayers(changed, nowMs, {});
}

/**
 * The final shifts of a range with these layers in place of those of a schedule: after the transaction, because they may
 * take long.
 * @throws Fault `validation_failed`
 */
export async function previewLayers(
  {
    stored: { plan, hasRotations },
    before,
    layers,
  }: { stored: StoredSchedules; before: PlannedSchedule | undefined; layers: Layers },
  nowMs: number,
  range: AskedRange,
): Promise<OnCallShiftView[]> {
  const next = changed(plan, before, layers, nowMs);
  return describeShifts(planOfTeam(plan, next, hasRotations), personIn(plan), shownRange(range, nowMs));
}

/**
 * Gives a schedule these layers, or adds one with them. Shifts before the change stay as they were. It is modified now, unless
 * the layers have another moment for it.
 * @returns undefined where nothing changes
 */
export async function saveLayers(
  tx: Tx,
  workspaceId: string,
  { plan }: StoredSchedules,
  before: PlannedSchedule | undefined,
  layers: Layers & { name?: string; holidayCalendar?: HolidayCalendar | null; lastModified?: Date },
  nowMs: number,
): Promise<ScheduleRow | undefined> {
  const former = before?.holidayCalendar ?? null;
  const { name = before?.name, holidayCalendar = former, lastModified } = layers;
  const isSameCalendar = isDeepStrictEqual(holidayCalendar, former);
  if (before && name === before.name && isSameCalendar && isSameLayers(before, layers)) return undefined;
  const { overrides: _, ...row } = changed(plan, before, layers, nowMs);
  const named = { ...row, ...(name !== undefined && { name }), ...(lastModified && { lastModified }) };
  await scheduleStore.save(workspaceId, tx, plan.id, named, !before);
  if (!isSameCalendar) await scheduleStore.noteCalendar(workspaceId, tx, row.id, holidayCalendar);
  return named;
}

/** Takes a person out of the turns of all schedules of a team, whose past stays as it was. */
export async function vacateTurns(
  tx: Tx,
  workspaceId: string,
  { teamId, userId }: { teamId: string; userId: string },
  nowMs: number,
): Promise<void> {
  const stored = await readSchedules(tx, workspaceId, teamId);
  for (const schedule of stored.plan.schedules) {
    const { timezone, holidays } = schedule;
    const layers = schedule.layers.map((layer) => ({
      ...layer,
      turns: layer.turns.map((one) => (one === userId ? null : one)),
    }));
    await saveLayers(tx, workspaceId, stored, schedule, { timezone, layers, holidays }, nowMs);
  }
}

function changed(
  plan: TeamPlanRow,
  before: PlannedSchedule | undefined,
  { timezone, layers, holidays }: Layers,
  nowMs: number,
): PlannedSchedule {
  if (!before) return { ...emptySchedule(nowMs), timezone, layers, holidays, overrides: [] };
  const lastModified = laterThan(before.lastModified, nowMs);
  if (isSameLayers(before, { timezone, layers, holidays })) return { ...before, lastModified };
  // The plan does not count: what is kept while it does not cover the team is in force afterwards.
  const running = baseFinder(planOfTeam(plan, before, true))(nowMs);
  const former = decideFormer(before, running, new Set(layers.flatMap(({ turns }) => turns)), nowMs);
  return { ...before, timezone, layers, holidays, former, lastModified };
}

function isSameLayers(one: Layers, other: Layers): boolean {
  const layersOf = ({ timezone, layers, holidays }: Layers) => ({ timezone, layers, holidays });
  return isDeepStrictEqual(layersOf(one), layersOf(other));
}

/** @throws Fault `validation_failed` with all faults */
async function nextLayers(
  tx: Tx,
  key: { workspaceId: string; teamId: string },
  before: Layers | undefined,
  input: ScheduleInput,
  nowMs: number,
): Promise<Layers> {
  const { layers, faults } = decideSchedule(before ?? null, input, nowMs);
  const strangers = await strangersAmong(tx, key, [{ path: 'participants', userIds: input.participants ?? [] }]);
  const details = [...(faults ?? []), ...strangers];
  if (layers && details.length === 0) return layers;
  throw invalidFields(details);
}

/** Locks the people of lists. @returns a fault for each who is no active member of the team */
export async function strangersAmong(
  tx: Tx,
  { workspaceId, teamId }: { workspaceId: string; teamId: string },
  lists: readonly { path: string; userIds: readonly string[] }[],
): Promise<FaultDetail[]> {
  const all = [...new Set(lists.flatMap(({ userIds }) => userIds))];
  if (all.length === 0) return [];
  const active = await teamMemberStore.lockActive(workspaceId, tx, teamId, all);
  return lists.flatMap(({ path, userIds }) =>
    userIds.flatMap((userId, index) =>
      active.has(userId) ? [] : [{ path: `${path}.${index}`, message: 'must be an active member of this team' }],
    ),
  );
}

/** For the audit log: what this verb changes. */
function rotationOf({ rotation, timezone, handoffTime, handoffDay, startDate, participants }: Schedule): object {
  return { rotation, timezone, handoffTime, handoffDay, startDate, participants };
}

/** What the views of a schedule have in common. */
export function describeCommon({ people }: TeamPlanRow, schedule: PlannedSchedule | undefined, hasRotations: boolean) {
  const suspended = new Set(people.filter(({ isActive }) => !isActive).map(({ userId }) => userId));
  const named = new Set((schedule?.layers ?? []).flatMap(({ turns }) => turns.filter((userId) => userId !== null)));
  return {
    unavailable: [...named].filter((userId) => suspended.has(userId)),
    overrides: (schedule?.overrides ?? [])
      .toSorted((a, b) => a.starts.getTime() - b.starts.getTime())
      .map(describeOverride),
    planRestricted: !hasRotations,
  };
}

function describeSchedule({ plan, hasRotations }: StoredSchedules): Schedule {
  const [schedule] = plan.schedules;
  const first = schedule && simpleRotationOf(schedule);
  return {
    teamId: plan.id,
    rotation: first?.rotation ?? null,
    timezone: first?.timezone ?? null,
    handoffTime: first?.handoffTime ?? null,
    handoffDay: first?.handoffDay ?? null,
    startDate: first?.startDate ?? null,
    participants: first?.turns.filter((userId) => userId !== null) ?? null,
    ...describeCommon(plan, schedule, hasRotations),
    created: first ? schedule.created.toISOString() : null,
    lastModified: first ? schedule.lastModified.toISOString() : null,
  };
}
