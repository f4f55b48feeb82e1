import type { Tx } from '../../platform/db/database.js';
import { workspaceEntitlements } from '../plans/index.js';
import { decideOnCall, type OnCallShift } from './decide-on-call.js';
import { decideTeamCoverage, type TeamCoverage } from './decide-team-coverage.js';
import { BUILT_IN, type EscalationPolicy, type EscalationTarget } from './escalation-policy.js';
import { type EscalationPolicyRow, escalationPolicyStore } from './escalation-policy-store.js';
import { planOfTeam } from './read-on-call.js';
import { type TeamPlanRow, teamPlanStore } from './team-plan-store.js';

/** A policy in force. The built-in one has the id of the team. */
export type TeamPolicy = Readonly<EscalationPolicy> & { id: string };

/** The people of a team who can be paged at a moment. */
export interface TeamOnCall {
  teamName: string;
  /** The person by the first schedule; null where nobody is on call. */
  userId: string | null;
  source: 'rotation' | 'override' | 'none';
  /** The reason if nobody is on call, as a sentence; null if somebody is. */
  why: string | null;
  /** Whether the team exceeds the number of teams in the plan. Nobody of it is paged, and `why` contains the reason. */
  planRestricted: boolean;
  /** User ids of the leads who can be paged: those who are not suspended. */
  leads: string[];
  /** In the order in which they count, the built-in one last. */
  policies: readonly TeamPolicy[];
  /** The people whom a target means; none for an action group. A schedule that is gone is the first one. */
  peopleOf(target: EscalationTarget): readonly string[];
}

/** @returns undefined if the team does not exist */
export async function readTeamOnCall(
  tx: Tx,
  workspaceId: string,
  teamId: string,
  atMs: number,
): Promise<TeamOnCall | undefined> {
  const team = await teamPlanStore.find(workspaceId, tx, teamId);
  if (!team) return undefined;
  const coverage = decideTeamCoverage(await workspaceEntitlements(tx, workspaceId), team);
  const policies = await escalationPolicyStore.list(workspaceId, tx, [teamId]);
  const shift = decideOnCall(planOfTeam(team, team.schedules[0], coverage.hasRotations), atMs);
  return onCallOf({ team, coverage, policies }, shift, atMs);
}

/** The people of a team who can be paged during a shift. */
export function onCallOf(
  { team, coverage, policies }: { team: TeamPlanRow; coverage: TeamCoverage; policies: readonly EscalationPolicyRow[] },
  { userId, source }: Pick<OnCallShift, 'userId' | 'source'>,
  atMs: number,
): TeamOnCall {
  const active = coverage.isBeyondLimit ? [] : team.people.filter(({ isActive }) => isActive);
  const leads = active.filter(({ isLead }) => isLead).map((person) => person.userId);
  const noShift = team.schedules.every(({ layers }) => layers.length === 0)
    ? `${team.name} has no on-call rotation yet.`
    : `Nobody of ${team.name} is on call at this moment.`;
  return {
    teamName: team.name,
    userId,
    source,
    why: userId === null ? (coverage.why ?? noShift) : null,
    planRestricted: coverage.isBeyondLimit,
    leads,
    policies: [...(coverage.hasRotations ? policies : []), { ...BUILT_IN, id: team.id }],
    peopleOf(target) {
      if (target.type === 'leads') return leads;
      if (target.type === 'team') return active.map((person) => person.userId);
      if (target.type === 'user') return coverage.isBeyondLimit ? [] : [target.id];
      if (target.type === 'actionGroup') return [];
      const schedule = team.schedules.find(({ id }) => id === target.scheduleId);
      const now = schedule ? decideOnCall(planOfTeam(team, schedule, coverage.hasRotations), atMs).userId : userId;
      return now === null ? [] : [now];
    },
  };
}
