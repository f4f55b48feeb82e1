import { notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { type Entitlements, workspaceEntitlements } from '../plans/index.js';
import { decideGaps, type Gap } from './decide-gaps.js';
import { decideNext, decideOnCall, decideShifts, type OnCallPlan } from './decide-on-call.js';
import { decideTeamCoverage } from './decide-team-coverage.js';
import type { OnCallDeps } from './on-call-deps.js';
import { planOfTeam } from './read-on-call.js';
import { onCallOf, type TeamOnCall } from './read-team-on-call.js';
import type { TeamShiftsView } from './schedule-schemas.js';
import { type TeamPlanRow, teamPlanStore } from './team-plan-store.js';
import type { Person } from './team-schemas.js';

/** The most teams of a workspace that are read together: the first ones by name. */
const MAX_TEAMS = 200;

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
 * Who is on call for each team of a workspace at a moment, who is next, and the gaps until `gapsUntilMs`. One statement,
 * whatever the number of teams.
 */
export async function readWorkspaceOnCall(
  tx: Tx,
  workspaceId: string,
  entitlements: Entitlements,
  atMs: number,
  gapsUntilMs: number,
): Promise<TeamDutyState[]> {
  return (await readPlannedTeams(tx, workspaceId, entitlements, null)).map(({ team, plan, coverage, personOf }) => {
    const shift = decideOnCall(plan, atMs);
    const next = decideNext(plan, shift);
    return {
      ...onCallOf(team, coverage, shift),
      teamId: team.id,
      now: shift.userId === null ? null : { person: personOf(shift.userId), untilMs: shift.endMs },
      next: next && { person: personOf(next.userId), atMs: next.atMs },
      gaps: decideGaps(plan, atMs, gapsUntilMs),
    };
  });
}

/**
 * The final shifts of a range, cut at its ends, and its gaps: of all teams of the workspace, or of one.
 * @throws Fault `not_found`
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
  return teams.map(({ team, plan, coverage, personOf }) => ({
    teamId: team.id,
    teamName: team.name,
    planRestricted: !coverage.hasRotations,
    shifts: decideShifts(plan, startDate, endDate).flatMap(({ userId, source, startMs, endMs }) =>
      userId === null || source === 'none'
        ? []
        : [
            {
              user: personOf(userId),
              isMine: userId === caller.userId,
              source,
              start: iso(Math.max(startMs, startDate)),
              end: iso(Math.min(endMs, endDate)),
            },
          ],
    ),
    gaps: decideGaps(plan, startDate, endDate).map(({ startMs, endMs }) => ({ start: iso(startMs), end: iso(endMs) })),
  }));
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
