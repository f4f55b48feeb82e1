import { invalidField, found } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { workspaceEntitlements } from '../plans/index.js';
import { calendarText } from '../../platform/pages/calendar-text.js';
import { decideNext, decideOnCall, decideShifts, type OnCallPlan } from './decide-on-call.js';
import { decideTeamCoverage } from './decide-team-coverage.js';
import type { OnCallDeps } from './on-call-deps.js';
import { MAX_PREVIEW_DAYS, type OnCall, type OnCallShiftView } from './schedule-schemas.js';
import type { Person } from './team-schemas.js';
import { type TeamPlanRow, teamPlanStore } from './team-plan-store.js';

/** How far a preview looks ahead by default. */
export const PREVIEW_DAYS = 28;
const CALENDAR_PAST_DAYS = 30;
const CALENDAR_FUTURE_DAYS = 180;

/** The plan of a team, reduced to people who can be on call, with their names. */
interface TeamPlan extends OnCallPlan {
  teamName: string;
  personOf(userId: string | null): Person | null;
}

/** Who is on call for a team at a moment, by default now. @throws Fault `not_found` */
export async function readOnCall(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  teamId: string,
  atMs: number = deps.clock.now(),
): Promise<OnCall> {
  const plan = await deps.db.read((tx) => readPlan(tx, workspaceId, teamId));
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
  teamId: string,
  range: { startDate?: number | undefined; endDate?: number | undefined },
): Promise<OnCallShiftView[]> {
  const fromMs = range.startDate ?? deps.clock.now();
  const toMs = range.endDate ?? fromMs + PREVIEW_DAYS * DAY_MS;
  if (toMs <= fromMs || toMs - fromMs > MAX_PREVIEW_DAYS * DAY_MS) {
    throw invalidField('endDate', `must be later than the start, by at most ${MAX_PREVIEW_DAYS} days`);
  }
  const plan = await deps.db.read((tx) => readPlan(tx, workspaceId, teamId));
  return describeShifts(plan, plan.personOf, { fromMs, toMs });
}

/** The shifts of a plan, cut at the ends of the range. */
export function describeShifts(
  plan: OnCallPlan,
  personOf: (userId: string | null) => Person | null,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): OnCallShiftView[] {
  return decideShifts(plan, fromMs, toMs).map(({ userId, source, startMs, endMs }) => ({
    user: personOf(userId),
    source,
    start: new Date(Math.max(startMs, fromMs)).toISOString(),
    end: new Date(Math.min(endMs, toMs)).toISOString(),
  }));
}

/**
 * Shifts from 30 days ago to 180 days ahead as iCalendar text, and its content without the time of the build.
 * @throws Fault `not_found`
 */
export async function readCalendar(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: { workspace: { workspaceId: string } },
  teamId: string,
): Promise<{ text: string; content: object }> {
  const nowMs = deps.clock.now();
  const plan = await deps.db.read((tx) => readPlan(tx, workspaceId, teamId));
  const events = decideShifts(plan, nowMs - CALENDAR_PAST_DAYS * DAY_MS, nowMs + CALENDAR_FUTURE_DAYS * DAY_MS)
    .filter(({ userId }) => userId !== null)
    .map(({ userId, source, startMs, endMs }) => {
      const person = plan.personOf(userId)!;
      const summary = `${plan.teamName} on call: ${person.name ?? person.email ?? person.userId}`;
      const uid = `${teamId}-${startMs}@watchpost`;
      return { uid, startMs, endMs, summary, ...(source === 'override' ? { description: 'Override' } : {}) };
    });
  const name = `${plan.teamName} on call`;
  return { text: calendarText({ name, product: 'On call' }, events, nowMs), content: { name, events } };
}

/**
 * Suspended people take no shifts and no overrides; where the plan does not cover the team, nobody does.
 * @throws Fault `not_found`
 */
async function readPlan(tx: Tx, workspaceId: string, teamId: string): Promise<TeamPlan> {
  const team = found(await teamPlanStore.find(workspaceId, tx, teamId), 'team');
  const { hasRotations } = decideTeamCoverage(await workspaceEntitlements(tx, workspaceId), team);
  return {
    ...planOfTeam(team, hasRotations),
    teamName: team.name,
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

/** The plan of a team, reduced to people who can be on call. @param isRunning whether the owner's plan covers the rotation */
export function planOfTeam({ schedule, overrides, people }: TeamPlanRow, isRunning: boolean): OnCallPlan {
  const available = new Set(people.filter(({ isActive }) => isActive).map(({ userId }) => userId));
  const turns = schedule?.turns.map((userId) => (userId !== null && available.has(userId) ? userId : null)) ?? [];
  return {
    rotation: isRunning && schedule ? { ...schedule, turns } : null,
    overrides: overrides
      .filter(({ userId }) => isRunning && available.has(userId))
      .map(({ userId, starts, ends }) => ({ userId, startMs: starts.getTime(), endMs: ends.getTime() })),
  };
}

function isoOrNull(ms: number): string | null {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null;
}
