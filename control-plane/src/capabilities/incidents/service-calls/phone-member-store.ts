import type { Tx } from '../../../platform/db/database.js';
import type { Role } from '../../../platform/identity/caller.js';

export const phoneMemberStore = {
  /** The active member whose own number this is; of several the first one by id. */
  async find(workspaceId: string, tx: Tx, phoneNumber: string): Promise<{ userId: string; role: Role } | undefined> {
    return tx.one(
      `SELECT user_id AS "userId", role FROM reachable_member
       WHERE workspace_id = $1 AND preferences ->> 'phoneNumber' = $2 ORDER BY user_id LIMIT 1`,
      [workspaceId, phoneNumber],
    );
  },
};
