import { DAY_MS } from '@watchpost/shared/time';
import { Fault, type FaultDetail, found, invalidFields } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { Actor } from '../../platform/identity/caller.js';
import { requireFeature, workspaceEntitlements } from '../plans/index.js';
import type { Layers } from './decide-rotation.js';
import { decideLayers } from './decide-schedule.js';
import { followSwaps } from './follow-swaps.js';
import type { OnCallDeps, ScheduleDeps } from './on-call-deps.js';
import {
  type AskedRange,
  describeShifts,
  personIn,
  planOfTeam,
  readSchedules,
  type StoredSchedules,
} from './read-on-call.js';
import type { HolidaysRead } from './read-holidays.js';
import { requireReachable } from './readiness.js';
import { describeCommon, previewLayers, saveLayers, strangersAmong } from './schedule.js';
import {
  MAX_SCHEDULES,
  type OnCallShiftView,
  type TeamSchedule,
  type TeamScheduleInput,
  type TeamSchedulePatch,
  teamScheduleSchema,
} from './schedule-schemas.js';
import type { HolidayCalendar } from './schedule.entity.js';
import { scheduleStore } from './schedule-store.js';
import type { PlannedSchedule } from './team-plan-store.js';
import { lockTeam } from './teams.js';

interface Key {
  id: string;
  scheduleId: string;
}

/** The schedules of a team; the first one first. With `shiftDays` they have their shifts. @throws Fault `not_found` */
export async function listSchedules(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  teamId: string,
  { limit, offset, shiftDays }: Rows & { shiftDays?: number | undefined },
): Promise<ListPage<TeamSchedule>> {
  const stored = await deps.db.read((tx) => readSchedules(tx, workspaceId, teamId));
  const { plan, hasRotations } = stored;
  const fromMs = deps.clock.now();
  const items: TeamSchedule[] = [];
  for (const one of plan.schedules.slice(offset, offset + limit)) {
    const view = describe(stored, one);
    const range = shiftDays !== undefined && { fromMs, toMs: fromMs + shiftDays * DAY_MS };
    const shown = planOfTeam(plan, one, hasRotations);
    items.push(range ? { ...view, nextShifts: await describeShifts(shown, personIn(plan), range) } : view);
  }
  return { items, total: plan.schedules.length };
}

/** @throws Fault `not_found` */
export async function getTeamSchedule(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  { id, scheduleId }: Key,
): Promise<TeamSchedule> {
  const stored = await deps.db.read((tx) => readSchedules(tx, workspaceId, id));
  return describe(stored, ofTeam(stored, scheduleId));
}

/** @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`, `would_be_unreachable` */
export async function createSchedule(
  deps: ScheduleDeps,
  actor: Actor,
  teamId: string,
  input: TeamScheduleInput,
  force = false,
): Promise<TeamSchedule> {
  const { workspaceId } = actor.workspace;
  const calendar = await readCalendar(deps, actor, { id: teamId }, input);
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    await lockTeam(tx, workspaceId, teamId);
    const stored = await readSchedules(tx, workspaceId, teamId);
    if (stored.plan.schedules.length >= MAX_SCHEDULES) {
      const message = `A team has at most ${MAX_SCHEDULES} schedules: delete one first.`;
      throw new Fault('validation_failed', message, [{ path: '', message }]);
    }
    const nowMs = deps.clock.now();
    const layers = await nextLayers(tx, { workspaceId, teamId }, { before: undefined, input, calendar, nowMs });
    const { id } = (await saveLayers(tx, workspaceId, stored, undefined, { ...layers, name: input.name }, nowMs))!;
    await requireReachable(deps, tx, workspaceId, { id: teamId, scheduleId: id }, force);
    const made = await readOne(tx, workspaceId, { id: teamId, scheduleId: id });
    await recordAudit(deps, tx, actor, { action: 'schedule.created', target: made, after: contentOf(made) });
    return made;
  });
}

/** @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`, `precondition_failed` */
export async function updateSchedule(
  deps: ScheduleDeps,
  actor: Actor,
  key: Key,
  patch: TeamSchedulePatch,
  force = false,
): Promise<TeamSchedule> {
  const { workspaceId } = actor.workspace;
  const calendar = await readCalendar(deps, actor, key, patch);
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    await lockTeam(tx, workspaceId, key.id);
    const stored = await readSchedules(tx, workspaceId, key.id);
    const row = ofTeam(stored, key.scheduleId);
    const before = describe(stored, row);
    actor.checkPrecondition?.(steadyPart(before));
    const nowMs = deps.clock.now();
    const layers = await nextLayers(
      tx,
      { workspaceId, teamId: key.id },
      { before: row, input: patch, calendar, nowMs },
    );
    const { name = row.name } = patch;
    if (!(await saveLayers(tx, workspaceId, stored, row, { ...layers, name }, nowMs))) return before;
    await followSwaps(deps, tx, workspaceId, key.id);
    await requireReachable(deps, tx, workspaceId, key, force);
    const after = await readOne(tx, workspaceId, key);
    await recordAudit(deps, tx, actor, {
      action: 'schedule.updated',
      target: after,
      before: contentOf(before),
      after: contentOf(after),
    });
    return after;
  });
}

/** Deletes a schedule with its overrides. After the first one the next is the first. @throws Fault `not_found`, `precondition_failed` */
export async function deleteSchedule(deps: ScheduleDeps, actor: Actor, key: Key): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId, key.id);
    const before = await readOne(tx, workspaceId, key);
    actor.checkPrecondition?.(steadyPart(before));
    await followSwaps(deps, tx, workspaceId, key.id, key.scheduleId);
    await scheduleStore.remove(workspaceId, tx, key.id, key.scheduleId);
    await recordAudit(deps, tx, actor, { action: 'schedule.deleted', target: before, before: contentOf(before) });
  });
}

/**
 * The final shifts of a range as if a schedule had been created or updated with this input. Nothing changes.
 * @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`
 */
export async function previewSchedule(
  deps: ScheduleDeps,
  actor: Actor,
  key: { id: string; scheduleId?: string },
  input: TeamSchedulePatch,
  range: AskedRange,
): Promise<OnCallShiftView[]> {
  const { workspaceId } = actor.workspace;
  const { id: teamId, scheduleId } = key;
  const calendar = await readCalendar(deps, actor, key, input);
  const nowMs = deps.clock.now();
  const changed = await deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    const stored = await readSchedules(tx, workspaceId, teamId);
    const before = scheduleId === undefined ? undefined : ofTeam(stored, scheduleId);
    const layers = await nextLayers(tx, { workspaceId, teamId }, { before, input, calendar, nowMs });
    return { stored, before, layers };
  });
  return previewLayers(changed, nowMs, range);
}

/**
 * Reads the calendar that a change names for the first time: before its transaction, so that nobody waits for a stranger's
 * server under a lock.
 * @returns undefined where there is nothing to read
 * @throws Fault `not_found`, `unavailable`
 */
async function readCalendar(
  deps: ScheduleDeps,
  { workspace: { workspaceId, ownerId } }: Actor,
  { id, scheduleId }: { id: string; scheduleId?: string },
  { holidayCalendarUrl: url }: TeamSchedulePatch,
): Promise<HolidaysRead | undefined> {
  if (!deps.holidayCalendars || typeof url !== 'string') return undefined;
  const stored = await deps.db.read((tx) => readSchedules(tx, workspaceId, id));
  if (scheduleId !== undefined && ofTeam(stored, scheduleId).holidayCalendar?.url === url) return undefined;
  return deps.holidayCalendars.read(url, ownerId);
}

interface Wanted {
  before: PlannedSchedule | undefined;
  input: TeamSchedulePatch;
  calendar: HolidaysRead | undefined;
  nowMs: number;
}

/** @throws Fault `validation_failed` with all faults */
async function nextLayers(
  tx: Tx,
  key: { workspaceId: string; teamId: string },
  wanted: Wanted,
): Promise<Layers & { holidayCalendar: HolidayCalendar | null }> {
  const { before, input, nowMs } = wanted;
  const { timezone = before?.timezone ?? 'UTC' } = input;
  const { faults: details, ...free } = nextHolidays(wanted);
  let layers = before?.layers ?? [];
  if (input.layers) {
    const decided = decideLayers(input.layers, timezone, nowMs);
    const lists = input.layers.map(({ participants }, index) => ({
      path: `layers.${index}.participants`,
      userIds: participants,
    }));
    details.push(...decided.faults, ...(await strangersAmong(tx, key, lists)));
    ({ layers } = decided);
  }
  if (details.length > 0) throw invalidFields(details);
  return { timezone, layers, ...free };
}

/** The own holidays of a schedule, or those of its calendar. Naming one kind ends the other. */
function nextHolidays({ before, input, calendar, nowMs }: Wanted): {
  holidays: readonly string[];
  holidayCalendar: HolidayCalendar | null;
  faults: FaultDetail[];
} {
  const former = before?.holidayCalendar ?? null;
  const { holidays: given, holidayCalendarUrl: url = given ? null : (former?.url ?? null) } = input;
  const own = former ? [] : (before?.holidays ?? []);
  if (url === null) return { holidays: given ?? own, holidayCalendar: null, faults: [] };
  const path = 'holidayCalendarUrl';
  const faults = given && given.length > 0 ? [{ path, message: 'must not be there beside `holidays`' }] : [];
  if (before && url === former?.url) return { holidays: before.holidays, holidayCalendar: former, faults };
  if (calendar?.fault !== undefined) faults.push({ path, message: calendar.fault });
  const fetchedAt = calendar?.days ? new Date(nowMs).toISOString() : null;
  return { holidays: calendar?.days ?? [], holidayCalendar: { url, fetchedAt, fault: null }, faults };
}

function ofTeam({ plan }: StoredSchedules, scheduleId: string): PlannedSchedule {
  return found(
    plan.schedules.find(({ id }) => id === scheduleId),
    'schedule',
  );
}

async function readOne(tx: Tx, workspaceId: string, { id, scheduleId }: Key): Promise<TeamSchedule> {
  const stored = await readSchedules(tx, workspaceId, id);
  return describe(stored, ofTeam(stored, scheduleId));
}

/** Those that people set, and not those of a calendar. */
export function ownHolidays({
  holidays,
  holidayCalendar,
}: Pick<PlannedSchedule, 'holidays' | 'holidayCalendar'>): string[] {
  return holidayCalendar ? [] : [...holidays];
}

function describe({ plan, hasRotations }: StoredSchedules, schedule: PlannedSchedule): TeamSchedule {
  const { holidayCalendar: calendar } = schedule;
  return viewOf(teamScheduleSchema, {
    ...schedule,
    teamId: plan.id,
    holidays: ownHolidays(schedule),
    holidayCalendarUrl: calendar?.url ?? null,
    holidayCalendar: calendar && {
      fetchedAt: calendar.fetchedAt,
      fault: calendar.fault,
      days: [...schedule.holidays],
    },
    layers: schedule.layers.map(({ turns, restrictions, ...layer }) => ({
      ...layer,
      restrictions: restrictions.map(({ days, ...time }) => ({ days: [...days], ...time })),
      participants: turns.filter((userId) => userId !== null),
    })),
    ...describeCommon(plan, schedule, hasRotations),
  });
}

/** Returns what people change, and not what the daily reading of its calendar does. */
export function steadyPart({
  holidayCalendar: _read,
  nextShifts: _shifts,
  ...steady
}: TeamSchedule): Partial<TeamSchedule> {
  return steady;
}

/** For the audit log: without the overrides, which have entries of their own. */
function contentOf({ teamId, name, timezone, layers, holidays, holidayCalendarUrl }: TeamSchedule): object {
  return { teamId, name, timezone, layers, holidays, holidayCalendarUrl };
}
