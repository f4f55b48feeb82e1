import type { Tx } from '../../platform/db/database.js';
import { workspaceEntitlements } from '../plans/index.js';
import { decideOnCall, type OnCallShift } from './decide-on-call.js';
import { decideTeamCoverage, type TeamCoverage } from './decide-team-coverage.js';
import { planOfTeam } from './read-on-call.js';
import { type TeamPlanRow, teamPlanStore } from './team-plan-store.js';

/** The people of a team who can be paged at a moment. */
export interface TeamOnCall {
  teamName: string;
  /** null where nobody is on call. */
  userId: string | null;
  source: 'rotation' | 'override' | 'none';
  /** The reason if nobody is on call, as a sentence; null if somebody is. */
  why: string | null;
  /** Whether the team exceeds the number of teams in the plan. Nobody of it is paged, and `why` contains the reason. */
  planRestricted: boolean;
  /** User ids of the leads who can be paged: those who are not suspended. */
  leads: string[];
}

/**
 * @param scheduleId default the first schedule, which also takes the place of one that is gone
 * @returns undefined if the team does not exist
 */
export async function readTeamOnCall(
  tx: Tx,
  workspaceId: string,
  teamId: string,
  atMs: number,
  scheduleId?: string,
): Promise<TeamOnCall | undefined> {
  const team = await teamPlanStore.find(workspaceId, tx, teamId);
  if (!team) return undefined;
  const coverage = decideTeamCoverage(await workspaceEntitlements(tx, workspaceId), team);
  const schedule = team.schedules.find(({ id }) => id === scheduleId) ?? team.schedules[0];
  return onCallOf(team, coverage, decideOnCall(planOfTeam(team, schedule, coverage.hasRotations), atMs));
}

/** The people of a team who can be paged during a shift. */
export function onCallOf(
  team: TeamPlanRow,
  coverage: TeamCoverage,
  { userId, source }: Pick<OnCallShift, 'userId' | 'source'>,
): TeamOnCall {
  const leads = coverage.isBeyondLimit ? [] : team.people.filter(({ isActive, isLead }) => isActive && isLead);
  const noShift = team.schedules.every(({ layers }) => layers.length === 0)
    ? `${team.name} has no on-call rotation yet.`
    : `Nobody of ${team.name} is on call at this moment.`;
  return {
    teamName: team.name,
    userId,
    source,
    why: userId === null ? (coverage.why ?? noShift) : null,
    planRestricted: coverage.isBeyondLimit,
    leads: leads.map((person) => person.userId),
  };
}
