import type { Tx } from '../../platform/db/database.js';

export interface OverrideRow {
  id: string;
  userId: string;
  starts: Date;
  ends: Date;
  reason: string | null;
  created: Date;
}

const COLUMNS = 'id, user_id AS "userId", starts, ends, reason, created';

/** Overrides of a team, bounded in number. Callers that change them hold the lock on the team. */
export const overrideStore = {
  async find(workspaceId: string, tx: Tx, teamId: string, id: string): Promise<OverrideRow | undefined> {
    const [row] = await tx.query<OverrideRow>(
      `SELECT ${COLUMNS} FROM on_call_override WHERE workspace_id = $1 AND team_id = $2 AND id = $3`,
      [workspaceId, teamId, id],
    );
    return row;
  },

  async count(workspaceId: string, tx: Tx, teamId: string): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      'SELECT count(*) AS count FROM on_call_override WHERE workspace_id = $1 AND team_id = $2',
      [workspaceId, teamId],
    );
    return row!.count;
  },

  async insert(workspaceId: string, tx: Tx, teamId: string, row: OverrideRow): Promise<void> {
    await tx.query(
      `INSERT INTO on_call_override (workspace_id, team_id, id, user_id, starts, ends, reason, created)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [workspaceId, teamId, row.id, row.userId, row.starts, row.ends, row.reason, row.created],
    );
  },

  async remove(workspaceId: string, tx: Tx, teamId: string, id: string): Promise<void> {
    await tx.query('DELETE FROM on_call_override WHERE workspace_id = $1 AND team_id = $2 AND id = $3', [
      workspaceId,
      teamId,
      id,
    ]);
  },

  async removeEndedBefore(workspaceId: string, tx: Tx, teamId: string, before: Date): Promise<void> {
    await tx.query('DELETE FROM on_call_override WHERE workspace_id = $1 AND team_id = $2 AND ends < $3', [
      workspaceId,
      teamId,
      before,
    ]);
  },
};
