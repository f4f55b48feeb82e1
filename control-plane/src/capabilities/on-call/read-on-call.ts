import { invalidField, found } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { workspaceEntitlements } from '../plans/index.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import { calendarText, type CalendarEvent } from '../../platform/pages/calendar-text.js';
import { decideNext, decideOnCall, eachShift, type OnCallPlan, type OnCallShift } from './decide-on-call.js';
import { decideTeamCoverage } from './decide-team-coverage.js';
import type { Layers } from './decide-rotation.js';
import type { OnCallDeps } from './on-call-deps.js';
import { MAX_PREVIEW_DAYS, type OnCall, type OnCallShiftView } from './schedule-schemas.js';
import type { Person } from './team-schemas.js';
import { type PlannedSchedule, type TeamPlanRow, teamPlanStore } from './team-plan-store.js';

/** How far a preview looks ahead by default. */
const PREVIEW_DAYS = 28;
const CALENDAR_PAST_DAYS = 30;
const CALENDAR_FUTURE_DAYS = 180;
/** The most shifts of a calendar: the earliest ones of all schedules. */
const CALENDAR_SHIFTS = 6_000;

/** The plan of a team, reduced to people who can be on call, with their names. */
interface TeamPlan extends OnCallPlan {
  personOf(userId: string | null): Person | null;
}

/** A schedule of a team; without its id the first one. */
export interface ScheduleKey {
  id: string;
  scheduleId?: string | undefined;
}

/** Who is on call by a schedule at a moment, by default now. @throws Fault `not_found` */
export async function readOnCall(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  key: ScheduleKey,
  atMs: number = deps.clock.now(),
): Promise<OnCall> {
  const plan = await deps.db.read((tx) => readPlan(tx, workspaceId, key));
  const shift = decideOnCall(plan, atMs);
  const next = decideNext(plan, shift);
  return {
    user: plan.personOf(shift.userId),
    source: shift.source,
    since: isoOrNull(shift.startMs),
    until: isoOrNull(shift.endMs),
    next: next && { user: plan.personOf(next.userId)!, at: new Date(next.atMs).toISOString() },
  };
}

/**
 * The final shifts of a range, cut at its ends: every moment belongs to exactly one.
 * @throws Fault `not_found`, `validation_failed`
 */
export async function previewShifts(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  key: ScheduleKey,
  range: AskedRange,
): Promise<OnCallShiftView[]> {
  const shown = shownRange(range, deps.clock.now());
  const plan = await deps.db.read((tx) => readPlan(tx, workspaceId, key));
  return describeShifts(plan, plan.personOf, shown);
}

/** The range of a preview as it is asked for. */
export interface AskedRange {
  startDate?: number | undefined;
  endDate?: number | undefined;
}

/** @returns by default the next 28 days. @throws Fault `validation_failed` */
export function shownRange({ startDate, endDate }: AskedRange, nowMs: number): { fromMs: number; toMs: number } {
  const fromMs = startDate ?? nowMs;
  const toMs = endDate ?? fromMs + PREVIEW_DAYS * DAY_MS;
  if (toMs <= fromMs || toMs - fromMs > MAX_PREVIEW_DAYS * DAY_MS)
    throw invalidField('endDate', `must be later than the start, by at most ${MAX_PREVIEW_DAYS} days`);
  return { fromMs, toMs };
}

/** `decideShifts` for a request: others are served meanwhile. */
export async function shiftsInSlices(plan: OnCallPlan, fromMs: number, toMs: number): Promise<OnCallShift[]> {
  const rest = inSlices();
  const shifts: OnCallShift[] = [];
  for (const shift of eachShift(plan, fromMs, toMs)) {
    shifts.push(shift);
    await rest();
  }
  return shifts;
}

/** The shifts of a plan, cut at the ends of the range. */
export async function describeShifts(
  plan: OnCallPlan,
  personOf: (userId: string | null) => Person | null,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<OnCallShiftView[]> {
  return (await shiftsInSlices(plan, fromMs, toMs)).map(({ userId, source, startMs, endMs }) => ({
    user: personOf(userId),
    source,
    start: new Date(Math.max(startMs, fromMs)).toISOString(),
    end: new Date(Math.min(endMs, toMs)).toISOString(),
  }));
}

/**
 * Shifts of all schedules from 30 days ago to 180 days ahead as iCalendar text, and its content without the time of the build.
 * If there are too many, the past ones are left out, then the last ones.
 * @throws Fault `not_found`
 */
export async function readCalendar(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: { workspace: { workspaceId: string } },
  teamId: string,
): Promise<{ text: string; content: object }> {
  const nowMs = deps.clock.now();
  const { plan: team, hasRotations } = await deps.db.read((tx) => readSchedules(tx, workspaceId, teamId));
  const personOf = personIn(team);
  const [fromMs, toMs] = [nowMs - CALENDAR_PAST_DAYS * DAY_MS, nowMs + CALENDAR_FUTURE_DAYS * DAY_MS];
  const all: CalendarEvent[] = [];
  for (const [place, schedule] of team.schedules.entries()) {
    const title = team.schedules.length > 1 ? `${team.name} (${schedule.name})` : team.name;
    const shifts = await shiftsInSlices(planOfTeam(team, schedule, hasRotations), fromMs, toMs);
    for (const { userId, source, startMs, endMs } of shifts) {
      const person = personOf(userId);
      if (!person) continue;
      const summary = `${title} on call: ${person.name ?? person.email ?? person.userId}`;
      // Those of the first schedule keep the names that they had when it was the only one.
      const uid = `${place === 0 ? teamId : schedule.id}-${startMs}@watchpost`;
      all.push({ uid, startMs, endMs, summary, ...(source === 'override' ? { description: 'Override' } : {}) });
    }
  }
  const events =
    all.length <= CALENDAR_SHIFTS
      ? all
      : all
          .filter(({ endMs }) => endMs > nowMs)
          .toSorted((a, b) => a.startMs - b.startMs)
          .slice(0, CALENDAR_SHIFTS);
  const name = `${team.name} on call`;
  return { text: calendarText({ name, product: 'On call' }, events, nowMs), content: { name, events } };
}

/** The schedules of a team, and whether they are in force. */
export interface StoredSchedules {
  plan: TeamPlanRow;
  hasRotations: boolean;
}

/** @throws Fault `not_found` */
export async function readSchedules(tx: Tx, workspaceId: string, teamId: string): Promise<StoredSchedules> {
  const plan = found(await teamPlanStore.find(workspaceId, tx, teamId), 'team');
  const { hasRotations } = decideTeamCoverage(await workspaceEntitlements(tx, workspaceId), plan);
  return { plan, hasRotations };
}

/**
 * Suspended people take no shifts and no overrides; where the plan does not cover the team, nobody does.
 * @throws Fault `not_found`
 */
async function readPlan(tx: Tx, workspaceId: string, { id, scheduleId }: ScheduleKey): Promise<TeamPlan> {
  const { plan: team, hasRotations } = await readSchedules(tx, workspaceId, id);
  return {
    ...planOfTeam(team, scheduleOf(team, scheduleId), hasRotations),
    personOf: personIn(team),
  };
}

/** Finds an active person of a team. */
export function personIn({ people }: TeamPlanRow): (userId: string | null) => Person | null {
  return (userId) => {
    const person = people.find((one) => one.isActive && one.userId === userId);
    return person ? { userId: person.userId, name: person.name, email: person.email } : null;
  };
}

/**
 * The plan of a schedule, reduced to people who can be on call.
 * @param schedule undefined where the team has none
 * @param isRunning whether the owner's plan covers rotations of the team
 */
export function planOfTeam(
  { people }: Pick<TeamPlanRow, 'people'>,
  schedule: PlannedSchedule | undefined,
  isRunning: boolean,
): OnCallPlan {
  if (!isRunning || !schedule) return { timezone: 'UTC', layers: [], holidays: [], former: [], overrides: [] };
  const available = new Set(people.filter(({ isActive }) => isActive).map(({ userId }) => userId));
  const reduced = <Some extends Layers>(one: Some): Some => ({
    ...one,
    layers: one.layers.map((layer) => ({
      ...layer,
      turns: layer.turns.map((userId) => (userId !== null && available.has(userId) ? userId : null)),
    })),
  });
  const { timezone, layers, holidays } = schedule;
  return {
    ...reduced({ timezone, layers, holidays }),
    former: schedule.former.map(reduced),
    overrides: schedule.overrides
      .filter(({ userId }) => available.has(userId))
      .map(({ userId, starts, ends }) => ({ userId, startMs: starts.getTime(), endMs: ends.getTime() })),
  };
}

/**
 * The schedule of a team by its id, or its first one, if any.
 * @throws Fault `not_found` for an id that the team does not have
 */
export function scheduleOf({ schedules }: TeamPlanRow, scheduleId: string | undefined): PlannedSchedule | undefined {
  if (scheduleId === undefined) return schedules[0];
  return found(
    schedules.find(({ id }) => id === scheduleId),
    'schedule',
  );
}

function isoOrNull(ms: number): string | null {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null;
}
