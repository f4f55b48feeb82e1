import { Fault } from '@watchpost/shared/fault';
import { groupBy } from '@watchpost/shared/group-by';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { workspaceEntitlements } from '../plans/index.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import { baseFinder, eachShift, type OnCallPlan, type OnCallShift } from './decide-on-call.js';
import { decideReadiness, type ReadyShift } from './decide-readiness.js';
import { EACH_AT_ONCE, eachInTurn } from './each-in-turn.js';
import type { ScheduleDeps } from './on-call-deps.js';
import {
  personIn,
  planOfTeam,
  scheduleOf,
  readSchedules,
  shiftsInSlices,
  type StoredSchedules,
} from './read-on-call.js';
import { readPolicies } from './escalation-policies.js';
import type { EscalationPolicyView } from './escalation-policy-schemas.js';
import type { ReadinessView } from './schedule-schemas.js';
import { onCallMail, spanText } from './swap-mail.js';
import { decideTeamCoverage } from './decide-team-coverage.js';
import { type PlannedSchedule, type TeamPlanRow, teamPlanStore } from './team-plan-store.js';
import { teamStore } from './team-store.js';

const UNREACHABLE_DAYS = 7;
export const READINESS_DAYS = 30;
/** Shifts, or targets of policies, that a mail names. */
const MAILED_LINES = 20;
/** The most teams of a workspace that are looked at together. */
const MAX_TEAMS = 200;
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
  const shifts = await shiftsInSlices(
    planOfTeam(plan, scheduleOf(plan, scheduleId), hasRotations),
    nowMs,
    nowMs + UNREACHABLE_DAYS * DAY_MS,
  );
  await requireAlone(deps, tx, workspaceId, plan, shifts);
}

/**
 * Reads, before a change of a person, the schedules by which the person is on call in the next 7 days.
 * @returns what requires after the change that somebody is on call by each of them, and that the only one can be paged; it
 * throws Fault `would_be_unreachable`
 */
export async function reachableAfter(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  userId: string,
): Promise<() => Promise<void>> {
  const entitlements = await workspaceEntitlements(tx, workspaceId);
  const nowMs = deps.clock.now();
  const shiftsOf = (plan: TeamPlanRow, schedule: PlannedSchedule): Promise<OnCallShift[]> => {
    const { hasRotations } = decideTeamCoverage(entitlements, plan);
    return shiftsInSlices(planOfTeam(plan, schedule, hasRotations), nowMs, nowMs + UNREACHABLE_DAYS * DAY_MS);
  };
  const concerned: { teamId: string; scheduleId: string }[] = [];
  for (const plan of await teamPlanStore.list(workspaceId, tx, null, MAX_TEAMS))
    if (plan.people.some((one) => one.userId === userId))
      for (const schedule of plan.schedules)
        if ((await shiftsOf(plan, schedule)).some((shift) => shift.userId === userId))
          concerned.push({ teamId: plan.id, scheduleId: schedule.id });
  return async () => {
    for (const [teamId, schedules] of groupBy(concerned, (one) => one.teamId)) {
      const plan = (await teamPlanStore.find(workspaceId, tx, teamId))!;
      for (const { scheduleId } of schedules) {
        const schedule = scheduleOf(plan, scheduleId)!;
        const shifts = await shiftsOf(plan, schedule);
        if (shifts.every((shift) => shift.userId === null))
          throw unreachable(`Nobody of ${plan.name} would be on call in the next ${UNREACHABLE_DAYS} days.`);
        await requireAlone(deps, tx, workspaceId, plan, shifts);
      }
    }
  };
}

async function requireAlone(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  plan: TeamPlanRow,
  shifts: readonly OnCallShift[],
): Promise<void> {
  const [only, ...others] = new Set(shifts.flatMap(({ userId }) => userId ?? []));
  if (only === undefined || others.length > 0) return;
  const [reach] = await deps.reachOf(tx, workspaceId, [only]);
  if (reach && reach.channels.length > 0) return;
  const person = personIn(plan)(only);
  throw unreachable(
    `${person?.name ?? person?.email ?? 'This person'} would be the only person on call of the next ${UNREACHABLE_DAYS} days and cannot be paged by any channel.`,
  );
}

function unreachable(sentence: string): Fault {
  return new Fault('would_be_unreachable', `${sentence} Repeat with ?force=true to do it anyway.`);
}

/** Mails to the leads of teams, once a week, which coming shifts have a problem, and which targets of policies. */
export async function mailReadiness(deps: ScheduleDeps): Promise<void> {
  const before = new Date(deps.clock.now() - MAILED_EVERY_MS);
  await eachInTurn(
    (after) => deps.db.read((tx) => teamStore.unmailed(tx, before, after, EACH_AT_ONCE)),
    async ({ workspaceId, id }) => {
      // Read before the transaction, which then holds its lock only for the mails.
      const read = await deps.db.read((tx) => readMails(deps, tx, workspaceId, id));
      await deps.db.transaction(async (tx) => {
        if (!(await teamStore.noteMailed(workspaceId, tx, id, before, new Date(deps.clock.now())))) return;
        for (const mail of read?.mails ?? []) await mailLeads(deps, tx, workspaceId, read!.team, mail);
      });
    },
    ({ id }) => id,
  );
}

interface ReadinessMail {
  subject: string;
  lead: string;
  lines: readonly string[];
  link: string;
  action: string;
}

/** The mails about a team: of each schedule with a problem, and of the policies. @returns undefined where it is gone */
async function readMails(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  teamId: string,
): Promise<{ team: TeamPlanRow; mails: ReadinessMail[] } | undefined> {
  if (!(await teamStore.exists(workspaceId, tx, teamId))) return undefined;
  const stored = await readSchedules(tx, workspaceId, teamId);
  const team = stored.plan;
  const mails: ReadinessMail[] = [];
  if (!stored.hasRotations) return { team, mails };
  const nowMs = deps.clock.now();
  const range = { nowMs, untilMs: nowMs + READINESS_DAYS * DAY_MS };
  for (const schedule of team.schedules) {
    const all = await readinessOf(deps, tx, workspaceId, stored, schedule, range);
    const shifts = all.filter(({ problem }) => problem !== null);
    if (shifts.length > 0) mails.push(mailOfShifts(deps, team, schedule, shifts, range));
  }
  const policies = await readPolicies(deps, tx, workspaceId, teamId);
  const faulty = policies.filter(({ problems }) => problems.length > 0);
  if (faulty.length > 0) mails.push(mailOfPolicies(deps, team, faulty));
  return { team, mails };
}

const PROBLEMS: Readonly<Record<NonNullable<ReadyShift['problem']>, string>> = {
  noMethod: 'cannot be paged by any channel',
  unverifiedNumber: 'has a number that is not confirmed',
  suspended: 'replaces a suspended person',
  nobody: 'Nobody is on call',
  noSignIn90Days: 'has not signed in for 90 days',
};

/** Which targets of policies reach nobody, with the first of the policies as the place to mend it. */
function mailOfPolicies(
  { baseUrl }: ScheduleDeps,
  team: TeamPlanRow,
  policies: readonly EscalationPolicyView[],
): ReadinessMail {
  const lines = policies.flatMap(({ name, problems }) =>
    problems.map(({ path, message }) => {
      const [step, target] = path.match(/\d+/g)!.map((at) => Number(at) + 1);
      return `${name}, step ${step}: target ${target} ${message}.`;
    }),
  );
  const query = new URLSearchParams({ tab: 'teams', team: team.id, policy: policies[0]!.id });
  return {
    subject: `Escalation policies of ${team.name} that page somebody who cannot be reached: ${policies.length}`,
    lead: 'These steps page somebody who is gone or cannot be reached. Each policy marks them where they can be changed.',
    lines,
    link: `${baseUrl}/console/on-call?${query.toString()}`,
    action: `Look at the policy ${policies[0]!.name}`,
  };
}

function mailOfShifts(
  { baseUrl }: ScheduleDeps,
  team: TeamPlanRow,
  { name, timezone }: PlannedSchedule,
  shifts: readonly ReadyShift[],
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): ReadinessMail {
  const personOf = personIn(team);
  const lines = shifts.map(({ userId, startMs, endMs, problem }) => {
    const person = personOf(userId);
    const span = spanText(new Date(Math.max(startMs, nowMs)), new Date(Math.min(endMs, untilMs)), timezone);
    const who = person === null ? '' : `${person.name ?? person.email ?? 'Somebody'} `;
    return `${span}: ${person === null ? 'Nobody is on call' : `${who}${PROBLEMS[problem!]}`}.`;
  });
  return {
    subject: `Coming shifts of ${team.name} with a problem: ${shifts.length}`,
    lead: `These shifts of the schedule ${name} in the next ${READINESS_DAYS} days have a problem.`,
    lines,
    link: `${baseUrl}/console/on-call`,
    action: 'Look at the schedule',
  };
}

async function mailLeads(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  team: TeamPlanRow,
  { lead, lines, ...mail }: ReadinessMail,
): Promise<void> {
  const more = lines.length - MAILED_LINES;
  const sentences = [lead, ...lines.slice(0, MAILED_LINES), ...(more > 0 ? [`And ${more} more.`] : [])];
  for (const { email, isActive, isLead } of team.people)
    if (email !== null && isActive && isLead)
      await deps.sendMail(tx, workspaceId, onCallMail(email, { ...mail, sentences }));
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
  return readyShifts(plan, everybody, people, range);
}

/**
 * The shifts of a range and the worst problem of each. Others are served meanwhile.
 * @param plan reduced to people who can be on call
 * @param everybody the same with suspended people
 */
export async function readyShifts(
  plan: OnCallPlan,
  everybody: OnCallPlan,
  people: Parameters<typeof decideReadiness>[2],
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<ReadyShift[]> {
  const planned = baseFinder(everybody);
  const rest = inSlices();
  const ready: ReadyShift[] = [];
  for (const shift of eachShift(plan, nowMs, untilMs)) {
    ready.push(decideReadiness(shift, planned, people, nowMs));
    await rest();
  }
  return ready;
}
