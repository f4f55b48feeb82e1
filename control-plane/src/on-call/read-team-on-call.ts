import type { Tx } from '../db/database.js';
import { hasFeature, workspaceEntitlements } from '../plans/index.js';
import { decideOnCall } from './decide-on-call.js';
import { planOfTeam } from './read-on-call.js';
import { teamPlanStore } from './team-plan-store.js';

/** Who a team has for an incident at a moment. */
export interface TeamOnCall {
  teamName: string;
  /** null where nobody is on call. */
  userId: string | null;
  source: 'rotation' | 'override' | 'none';
  /** Why nobody is on call, as a sentence; null where somebody is. */
  why: string | null;
  /** User ids of the leads who are not suspended. */
  leads: string[];
}

/** @returns undefined where there is no such team */
export async function readTeamOnCall(
  tx: Tx,
  workspaceId: string,
  teamId: string,
  atMs: number,
): Promise<TeamOnCall | undefined> {
  const team = await teamPlanStore.find(workspaceId, tx, teamId);
  if (!team) return undefined;
  const { features } = await workspaceEntitlements(tx, workspaceId);
  const hasRotations = hasFeature(features, 'rotations');
  const { userId, source } = decideOnCall(planOfTeam(team, hasRotations), atMs);
  const leads = team.people.filter(({ isActive, isLead }) => isActive && isLead).map((person) => person.userId);
  const why =
    userId !== null
      ? null
      : !hasRotations
        ? `The plan has no on-call rotations, so nobody of ${team.name} is on call.`
        : team.schedule === null
          ? `${team.name} has no on-call rotation yet.`
          : `Nobody of ${team.name} is on call at this moment.`;
  return { teamName: team.name, userId, source, why, leads };
}
