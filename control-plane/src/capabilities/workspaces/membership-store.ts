import type { Tx } from '../../platform/db/database.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import type { Membership } from './decide-workspace.js';
import { WorkspaceMemberEntity } from './workspace.entity.js';

/** The workspace of a request is resolved among at most this many memberships, those used last. */
const MAX_MEMBERSHIPS = 1_000;

interface MembershipRow extends Omit<Membership, 'lastUsedMs'> {
  lastUsed: Date;
}

/** The memberships of a user. The first argument is the user, because this store finds the workspace. */
export const membershipStore = {
  /**
   * Kept, because every request reads them and the server needs several times as long to plan the statement as to run it.
   * @param onlyId reads only this workspace, a UUID, where the request names one
   */
  async ofUser(tx: Tx, userId: string, onlyId: string | null): Promise<Membership[]> {
    const rows = await keptStatements(tx).query<MembershipRow>(
      `SELECT m.workspace_id AS "workspaceId", m.id AS "memberId", m.role, m.status = 'suspended' OR EXISTS (
           SELECT FROM suspended_workspace closed WHERE closed.workspace_id = w.id
         ) AS suspended,
         w.owner_id AS "ownerId", m.last_used AS "lastUsed", NOT EXISTS (
           SELECT FROM workspace_member other WHERE other.user_id = m.user_id
             AND (other.last_used, other.workspace_id) > (m.last_used, m.workspace_id)
         ) AS "isLatest"
       FROM workspace_member m JOIN workspace w ON w.id = m.workspace_id
       WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.workspace_id = $2)
       ORDER BY m.last_used DESC LIMIT ${MAX_MEMBERSHIPS}`,
      [userId, onlyId],
    );
    return rows.map(({ lastUsed, ...row }) => ({ ...row, lastUsedMs: lastUsed.getTime() }));
  },

  /** Records the workspace as the one used last, also where another process's clock is ahead. */
  async touch(workspaceId: string, tx: Tx, memberId: string, nowMs: number): Promise<void> {
    await tx.query(
      `UPDATE workspace_member SET last_used = greatest($3, (
         SELECT max(other.last_used) + interval '1 ms' FROM workspace_member other
         WHERE other.user_id = workspace_member.user_id
       )) WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, memberId, new Date(nowMs)],
    );
  },

  async insert(
    workspaceId: string,
    tx: Tx,
    {
      nowMs,
      lastUsedMs = nowMs,
      ...member
    }: Pick<WorkspaceMemberEntity, 'id' | 'userId' | 'role'> &
      Partial<Pick<WorkspaceMemberEntity, 'roleSource'>> & { nowMs: number; lastUsedMs?: number },
  ): Promise<void> {
    const times = { joined: new Date(nowMs), lastUsed: new Date(lastUsedMs) };
    await tx.manager.insert(WorkspaceMemberEntity, { ...member, ...times, workspaceId });
  },
};
