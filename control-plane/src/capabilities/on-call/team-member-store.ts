import type { Tx } from '../../platform/db/database.js';
import type { TeamMember, TeamRole } from './team-schemas.js';

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
    return tx.value('SELECT count(*) AS count FROM team_member WHERE workspace_id = $1 AND team_id = $2', [
      workspaceId,
      teamId,
    ]);
  },

  async insert(
    workspaceId: string,
    tx: Tx,
    member: { teamId: string; userId: string; teamRole: TeamRole; now: Date },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO team_member (workspace_id, team_id, user_id, team_role, created, last_modified)
       VALUES ($1, $2, $3, $4, $5, $5)`,
      [workspaceId, member.teamId, member.userId, member.teamRole, member.now],
    );
  },

  async update(
    workspaceId: string,
    tx: Tx,
    member: { teamId: string; userId: string; teamRole: TeamRole; now: Date },
  ): Promise<void> {
    await tx.query(
      `UPDATE team_member SET team_role = $4, last_modified = $5
       WHERE workspace_id = $1 AND team_id = $2 AND user_id = $3`,
      [workspaceId, member.teamId, member.userId, member.teamRole, member.now],
    );
  },

  async remove(workspaceId: string, tx: Tx, teamId: string, userId: string): Promise<void> {
    await tx.query('DELETE FROM team_member WHERE workspace_id = $1 AND team_id = $2 AND user_id = $3', [
      workspaceId,
      teamId,
      userId,
    ]);
  },
};
