import { invalidField, notFound } from '@watchpost/shared/fault';
import { groupBy } from '@watchpost/shared/group-by';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import { type Entitlements, workspaceEntitlements } from '../plans/index.js';
import { decideGaps, type Gap, gapsIn } from './decide-gaps.js';
import { decideNext, decideOnCall, type OnCallPlan } from './decide-on-call.js';
import { decideTeamCoverage } from './decide-team-coverage.js';
import { escalationPolicyStore } from './escalation-policy-store.js';
import type { OnCallDeps } from './on-call-deps.js';
import { planOfTeam, shiftsInSlices } from './read-on-call.js';
import { onCallOf, type TeamOnCall } from './read-team-on-call.js';
import type { TeamShiftsView } from './schedule-schemas.js';
import { type TeamPlanRow, teamPlanStore } from './team-plan-store.js';
import type { Person } from './team-schemas.js';

/** The most teams of a workspace that are read together: the first ones by name. */
const MAX_TEAMS = 200;
/** The most shifts and gaps that one answer has. */
const MAX_SHIFTS = 20_000;

/** Who is on call for one of the teams of a workspace. */
export interface TeamDutyState extends TeamOnCall {
  teamId: string;
  /** null where nobody is on call; `untilMs` is Infinity where the shift has no end. */
  now: { person: Person; untilMs: number } | null;
  /** null where nothing is planned. */
  next: { person: Person; atMs: number } | null;
  gaps: Gap[];
}

interface PlannedTeam {
  team: TeamPlanRow;
  /** Reduced to people who can be on call. */
  plan: OnCallPlan;
  coverage: ReturnType<typeof decideTeamCoverage>;
  personOf(userId: string): Person;
}

/**
 * Who is on call for each team of a workspace at a moment, who is next, and the gaps until `gapsUntilMs`. Two statements,
 * whatever the number of teams.
 */
export async function readWorkspaceOnCall(
  tx: Tx,
  workspaceId: string,
  entitlements: Entitlements,
  atMs: number,
  gapsUntilMs: number,
): Promise<TeamDutyState[]> {
  const teams = await readPlannedTeams(tx, workspaceId, entitlements, null);
  const ids = teams.map(({ team }) => team.id);
  const policies = groupBy(await escalationPolicyStore.list(workspaceId, tx, ids), ({ teamId }) => teamId);
  const rest = inSlices();
  const states: TeamDutyState[] = [];
  for (const { team, plan, coverage, personOf } of teams) {
    const shift = decideOnCall(plan, atMs);
    const next = decideNext(plan, shift);
    states.push({
      ...onCallOf({ team, coverage, policies: policies.get(team.id) ?? [] }, shift, atMs),
      teamId: team.id,
      now: shift.userId === null ? null : { person: personOf(shift.userId), untilMs: shift.endMs },
      next: next && { person: personOf(next.userId), atMs: next.atMs },
      gaps: decideGaps(plan, atMs, gapsUntilMs),
    });
    await rest();
  }
  return states;
}

/**
 * The final shifts of a range, cut at its ends, and its gaps, schedule by schedule: of all teams of the workspace, or of one.
 * @throws Fault `not_found`, `validation_failed` where there are too many
 */
export async function readShifts(
  deps: OnCallDeps,
  { workspace: { workspaceId }, caller }: Actor,
  { startDate, endDate, teamId }: { startDate: number; endDate: number; teamId?: string | undefined },
): Promise<TeamShiftsView[]> {
  const teams = await deps.db.read(async (tx) =>
    readPlannedTeams(tx, workspaceId, await workspaceEntitlements(tx, workspaceId), teamId ?? null),
  );
  if (teamId !== undefined && teams.length === 0) throw notFound('team');
  const iso = (ms: number) => new Date(ms).toISOString();
  const views: TeamShiftsView[] = [];
  let count = 0;
  for (const { team, coverage, personOf } of teams) {
    const view: TeamShiftsView = {
      teamId: team.id,
      teamName: team.name,
      planRestricted: !coverage.hasRotations,
      shifts: [],
      gaps: [],
    };
    for (const schedule of team.schedules.length === 0 ? [undefined] : team.schedules) {
      const plan = planOfTeam(team, schedule, coverage.hasRotations);
      const of = team.schedules.length > 1 ? { scheduleId: schedule!.id, scheduleName: schedule!.name } : {};
      const all = await shiftsInSlices(plan, startDate, endDate);
      count += all.length;
      if (count > MAX_SHIFTS)
        throw invalidField('endDate', `must be nearer: there are more than ${MAX_SHIFTS} shifts and gaps until then`);
      for (const { userId, source, startMs, endMs } of all)
        if (userId !== null && source !== 'none')
          view.shifts.push({
            user: personOf(userId),
            isMine: userId === caller.userId,
            source,
            ...of,
            start: iso(Math.max(startMs, startDate)),
            end: iso(Math.min(endMs, endDate)),
          });
      for (const { startMs, endMs } of gapsIn(all, startDate, endDate))
        view.gaps.push({ start: iso(startMs), end: iso(endMs), ...of });
    }
    views.push(view);
  }
  return views;
}

async function readPlannedTeams(
  tx: Tx,
  workspaceId: string,
  entitlements: Entitlements,
  teamId: string | null,
): Promise<PlannedTeam[]> {
  const teams = await teamPlanStore.list(workspaceId, tx, teamId, MAX_TEAMS);
  return teams.map((team) => {
    const coverage = decideTeamCoverage(entitlements, team);
    return {
      team,
      plan: planOfTeam(team, team.schedules[0], coverage.hasRotations),
      coverage,
      personOf(userId) {
        const person = team.people.find((one) => one.userId === userId)!;
        return { userId, name: person.name, email: person.email };
      },
    };
  });
}
