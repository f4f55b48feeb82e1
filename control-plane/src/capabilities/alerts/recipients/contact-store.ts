import type { Tx } from '../../../platform/db/database.js';

/** The number that a member declared. */
export const contactStore = {
  async find(workspaceId: string, tx: Tx, userId: string): Promise<string | null> {
    const [row] = await tx.query<{ number: string | null }>(
      `SELECT preferences ->> 'phoneNumber' AS number FROM reachable_member WHERE workspace_id = $1 AND user_id = $2`,
      [workspaceId, userId],
    );
    return row?.number ?? null;
  },
};
