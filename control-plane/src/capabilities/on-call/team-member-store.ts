import type { Tx } from '../../platform/db/database.js';
import type { TeamMember } from './team-schemas.js';
import { TeamMemberEntity } from './team.entity.js';

type NewTeamMember = Omit<TeamMemberEntity, 'workspaceId' | 'lastModified'>;

/** The members of teams. Callers that change them hold the lock on the team. */
export const teamMemberStore = {
  async find(workspaceId: string, tx: Tx, teamId: string, userId: string): Promise<TeamMember | undefined> {
    return tx.one(
      `SELECT m.user_id AS "userId", u.name, u.email, m.team_role AS "teamRole"
       FROM team_member m JOIN user_account u ON u.id = m.user_id
       WHERE m.workspace_id = $1 AND m.team_id = $2 AND m.user_id = $3`,
      [workspaceId, teamId, userId],
    );
  },

  /**
   * Those of the users who are active members of the team, locked until the transaction ends. Only the row of the
   * workspace's member is locked, which is also the first lock of a removal.
   */
  async lockActive(workspaceId: string, tx: Tx, teamId: string, userIds: readonly string[]): Promise<Set<string>> {
    return new Set(
      await tx.column<string>(
        `SELECT m.user_id AS "userId" FROM team_member m
       JOIN workspace_member w ON w.workspace_id = m.workspace_id AND w.user_id = m.user_id
       WHERE m.workspace_id = $1 AND m.team_id = $2 AND m.user_id = ANY($3) AND w.status = 'active'
       ORDER BY m.user_id FOR SHARE OF w`,
        [workspaceId, teamId, userIds],
      ),
    );
  },

  /** A member of the workspace, locked against removal and suspension until the transaction ends. */
  async lockWorkspaceMember(
    workspaceId: string,
    tx: Tx,
    userId: string,
  ): Promise<{ status: 'active' | 'suspended' } | undefined> {
    return tx.one('SELECT status FROM workspace_member WHERE workspace_id = $1 AND user_id = $2 FOR SHARE', [
      workspaceId,
      userId,
    ]);
  },

  async count(workspaceId: string, tx: Tx, teamId: string): Promise<number> {
    return tx.manager.countBy(TeamMemberEntity, { workspaceId, teamId });
  },

  async insert(workspaceId: string, tx: Tx, member: NewTeamMember): Promise<void> {
    await tx.manager.insert(TeamMemberEntity, { ...member, workspaceId, lastModified: member.created });
  },

  async update(workspaceId: string, tx: Tx, member: Omit<TeamMemberEntity, 'workspaceId' | 'created'>): Promise<void> {
    const { teamId, userId, ...change } = member;
    await tx.manager.update(TeamMemberEntity, { workspaceId, teamId, userId }, change);
  },

  async remove(workspaceId: string, tx: Tx, teamId: string, userId: string): Promise<void> {
    await tx.manager.delete(TeamMemberEntity, { workspaceId, teamId, userId });
  },
};
