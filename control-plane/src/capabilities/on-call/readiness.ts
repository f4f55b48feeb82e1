import { Fault } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { decideShifts } from './decide-on-call.js';
import { decideReadiness, type ReadyShift } from './decide-readiness.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { personIn, planOfTeam, scheduleOf, readSchedules, type StoredSchedules } from './read-on-call.js';
import type { ReadinessView } from './schedule-schemas.js';
import { scheduleStore } from './schedule-store.js';
import { onCallMail, spanText } from './swap-mail.js';
import type { PlannedSchedule, TeamPlanRow } from './team-plan-store.js';
import { teamStore } from './team-store.js';

const UNREACHABLE_DAYS = 7;
export const READINESS_DAYS = 30;
/** Shifts that a mail names. */
const MAILED_SHIFTS = 20;
const SCHEDULES_AT_ONCE = 100;
/** A little less than a week, so that the mail stays on its day. */
const MAILED_EVERY_MS = 7 * DAY_MS - DAY_MS / 2;

/** The coming shifts of a schedule, and what could prevent that somebody answers. @throws Fault `not_found` */
export async function readReadiness(
  deps: ScheduleDeps,
  { workspace: { workspaceId } }: Actor,
  { id, scheduleId }: { id: string; scheduleId: string },
  days: number,
): Promise<ReadinessView[]> {
  return deps.db.read(async (tx) => {
    const stored = await readSchedules(tx, workspaceId, id);
    const schedule = scheduleOf(stored.plan, scheduleId)!;
    const nowMs = deps.clock.now();
    const personOf = personIn(stored.plan);
    const untilMs = nowMs + days * DAY_MS;
    return (await readinessOf(deps, tx, workspaceId, stored, schedule, { nowMs, untilMs })).map(
      ({ userId, startMs, endMs, reachableBy, problem }) => ({
        start: new Date(Math.max(startMs, nowMs)).toISOString(),
        end: new Date(Math.min(endMs, untilMs)).toISOString(),
        user: personOf(userId),
        reachableBy: [...reachableBy],
        problem,
      }),
    );
  });
}

/**
 * Requires that a change does not leave the only person on call of the next 7 days without a way to be paged.
 * @throws Fault `would_be_unreachable`
 */
export async function requireReachable(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  { id: teamId, scheduleId }: { id: string; scheduleId?: string | undefined },
  force: boolean,
): Promise<void> {
  if (force) return;
  const { plan, hasRotations } = await readSchedules(tx, workspaceId, teamId);
  const nowMs = deps.clock.now();
  const shifts = decideShifts(
    planOfTeam(plan, scheduleOf(plan, scheduleId), hasRotations),
    nowMs,
    nowMs + UNREACHABLE_DAYS * DAY_MS,
  );
  const [only, ...others] = new Set(shifts.flatMap(({ userId }) => userId ?? []));
  if (only === undefined || others.length > 0) return;
  const [reach] = await deps.reachOf(tx, workspaceId, [only]);
  if (reach && reach.channels.length > 0) return;
  const person = personIn(plan)(only);
  throw new Fault(
    'would_be_unreachable',
    `${person?.name ?? person?.email ?? 'This person'} would be the only person on call of the next ${UNREACHABLE_DAYS} days and cannot be paged by any channel. Repeat with ?force=true to do it anyway.`,
  );
}

/** Mails to the leads of teams, once a week and schedule, which coming shifts have a problem. */
export async function mailReadiness(deps: ScheduleDeps): Promise<void> {
  const before = new Date(deps.clock.now() - MAILED_EVERY_MS);
  for (;;) {
    const due = await deps.db.read((tx) => scheduleStore.unmailed(tx, before, SCHEDULES_AT_ONCE));
    for (const { workspaceId, teamId, id } of due)
      await deps.db.transaction(async (tx) => {
        if (!(await teamStore.lock(workspaceId, tx, teamId))) return;
        const nowMs = deps.clock.now();
        if (!(await scheduleStore.noteMailed(workspaceId, tx, id, before, new Date(nowMs)))) return;
        const stored = await readSchedules(tx, workspaceId, teamId);
        const schedule = stored.plan.schedules.find((one) => one.id === id);
        if (!schedule || !stored.hasRotations) return;
        const range = { nowMs, untilMs: nowMs + READINESS_DAYS * DAY_MS };
        const shifts = (await readinessOf(deps, tx, workspaceId, stored, schedule, range)).filter(
          ({ problem }) => problem !== null,
        );
        if (shifts.length > 0) await mailLeads(deps, tx, workspaceId, stored.plan, schedule, shifts, range);
      });
    if (due.length < SCHEDULES_AT_ONCE) return;
  }
}

const PROBLEMS: Readonly<Record<NonNullable<ReadyShift['problem']>, string>> = {
  noMethod: 'cannot be paged by any channel',
  unverifiedNumber: 'has a number that is not confirmed',
  suspended: 'replaces a suspended person',
  nobody: 'Nobody is on call',
  noSignIn90Days: 'has not signed in for 90 days',
};

async function mailLeads(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  team: TeamPlanRow,
  { name, timezone }: PlannedSchedule,
  shifts: readonly ReadyShift[],
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<void> {
  const personOf = personIn(team);
  const lines = shifts.slice(0, MAILED_SHIFTS).map(({ userId, startMs, endMs, problem }) => {
    const person = personOf(userId);
    const span = spanText(new Date(Math.max(startMs, nowMs)), new Date(Math.min(endMs, untilMs)), timezone);
    const who = person === null ? '' : `${person.name ?? person.email ?? 'Somebody'} `;
    return `${span}: ${person === null ? 'Nobody is on call' : `${who}${PROBLEMS[problem!]}`}.`;
  });
  const more = shifts.length - lines.length;
  for (const { email, isActive, isLead } of team.people)
    if (email !== null && isActive && isLead)
      await deps.sendMail(
        tx,
        workspaceId,
        onCallMail(email, {
          subject: `Coming shifts of ${team.name} with a problem: ${shifts.length}`,
          sentences: [
            `These shifts of the schedule ${name} in the next ${READINESS_DAYS} days have a problem.`,
            ...lines,
            ...(more > 0 ? [`And ${more} more.`] : []),
          ],
          link: `${deps.baseUrl}/console/on-call`,
          action: 'Look at the schedule',
        }),
      );
}

async function readinessOf(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  { plan: team, hasRotations }: StoredSchedules,
  schedule: PlannedSchedule,
  range: { nowMs: number; untilMs: number },
): Promise<ReadyShift[]> {
  const plan = planOfTeam(team, schedule, hasRotations);
  const everybody = planOfTeam(
    { people: team.people.map((one) => ({ ...one, isActive: true })) },
    schedule,
    hasRotations,
  );
  const signIns = new Map(team.people.map(({ userId, lastSignInMs }) => [userId, lastSignInMs]));
  const reach = await deps.reachOf(tx, workspaceId, [...signIns.keys()]);
  const people = new Map(reach.map((one) => [one.userId, { ...one, lastSignInMs: signIns.get(one.userId)! }]));
  return decideReadiness(plan, everybody, people, range);
}
