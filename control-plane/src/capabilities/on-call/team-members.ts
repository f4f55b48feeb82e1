import { Fault, invalidField, found } from '@watchpost/shared/fault';
import { type OwnChange, recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { followSwaps } from './follow-swaps.js';
import type { OnCallDeps, ScheduleDeps } from './on-call-deps.js';
import { vacateTurns } from './schedule.js';
import { teamMemberStore } from './team-member-store.js';
import { MAX_TEAM_MEMBERS, type TeamMember, type TeamRole } from './team-schemas.js';
import type { TeamRow } from './team-store.js';
import { lockTeam } from './teams.js';

/**
 * Adds an active member of the workspace to a team.
 * @throws Fault `not_found` (the team, or the user in the workspace), `already_member`, `validation_failed`
 */
export async function addTeamMember(
  deps: OnCallDeps,
  actor: Actor,
  teamId: string,
  { userId, teamRole }: { userId: string; teamRole: TeamRole },
): Promise<TeamMember> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const team = await lockTeam(tx, workspaceId, teamId);
    const member = found(
      await teamMemberStore.lockWorkspaceMember(workspaceId, tx, userId),
      'member with this user id',
    );
    if (member.status === 'suspended')
      throw invalidField('userId', 'is suspended in this workspace: reactivate it first');
    if (await teamMemberStore.find(workspaceId, tx, teamId, userId)) {
      throw new Fault('already_member', 'This user is in the team already; change the team role with PATCH.');
    }
    if ((await teamMemberStore.count(workspaceId, tx, teamId)) >= MAX_TEAM_MEMBERS) {
      throw invalidField('userId', `would be more than the ${MAX_TEAM_MEMBERS} members that a team can have`);
    }
    await teamMemberStore.insert(workspaceId, tx, { teamId, userId, teamRole, created: new Date(deps.clock.now()) });
    await recordAudit(deps, tx, actor, memberChange(team, userId, { from: null, to: teamRole }));
    return readMember(tx, workspaceId, teamId, userId);
  });
}

/** @throws Fault `not_found`, `precondition_failed` */
export async function changeTeamMember(
  deps: OnCallDeps,
  actor: Actor,
  { id: teamId, userId }: { id: string; userId: string },
  patch: { teamRole?: TeamRole | undefined },
): Promise<TeamMember> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const team = await lockTeam(tx, workspaceId, teamId);
    const before = await readMember(tx, workspaceId, teamId, userId);
    actor.checkPrecondition?.(before);
    const { teamRole = before.teamRole } = patch;
    if (teamRole === before.teamRole) return before;
    await teamMemberStore.update(workspaceId, tx, {
      teamId,
      userId,
      teamRole,
      lastModified: new Date(deps.clock.now()),
    });
    const roles = { from: before.teamRole, to: teamRole };
    await recordAudit(deps, tx, actor, memberChange(team, userId, roles));
    return readMember(tx, workspaceId, teamId, userId);
  });
}

/**
 * Removes a member from a team, its rotation and its overrides. The next participant who can takes those shifts; the
 * turns of the others do not move.
 * @throws Fault `not_found`, `precondition_failed`
 */
export async function removeTeamMember(
  deps: ScheduleDeps,
  actor: Actor,
  { id: teamId, userId }: { id: string; userId: string },
): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const team = await lockTeam(tx, workspaceId, teamId);
    const member = await readMember(tx, workspaceId, teamId, userId);
    actor.checkPrecondition?.(member);
    await vacateTurns(tx, workspaceId, { teamId, userId }, deps.clock.now());
    await teamMemberStore.remove(workspaceId, tx, teamId, userId);
    await followSwaps(deps, tx, workspaceId, teamId);
    const roles = { from: member.teamRole, to: null };
    await recordAudit(deps, tx, actor, memberChange(team, userId, roles));
  });
}

/** For the audit log: the role in a team; null for a person who is not in it. */
function memberChange(
  { id, name }: TeamRow,
  userId: string,
  { from, to }: { from: TeamRole | null; to: TeamRole | null },
): OwnChange {
  const action = from === null ? 'team.member_added' : to === null ? 'team.member_removed' : 'team.member_changed';
  const roleOf = (role: TeamRole | null) => ({ members: { [userId]: role } });
  return { action, target: { id, name }, before: roleOf(from), after: roleOf(to) };
}

async function readMember(tx: Tx, workspaceId: string, teamId: string, userId: string): Promise<TeamMember> {
  const member = found(await teamMemberStore.find(workspaceId, tx, teamId, userId), 'team member');
  return member;
}
