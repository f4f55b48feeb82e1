import type { Tx } from '../../../platform/db/database.js';

/** The addresses of the owner and the members of a workspace. */
export const contactStore = {
  /** @returns the phone number in the notification preferences of a member */
  async phoneNumberOfMember(workspaceId: string, tx: Tx, userId: string): Promise<string | null> {
    const [row] = await tx.query<{ number: string | null }>(
      `SELECT preferences ->> 'phoneNumber' AS number FROM reachable_member WHERE workspace_id = $1 AND user_id = $2`,
      [workspaceId, userId],
    );
    return row?.number ?? null;
  },

  /** @returns null where the identity provider has not verified the address */
  async verifiedEmailOfOwner(workspaceId: string, tx: Tx): Promise<string | null> {
    const [row] = await tx.query<{ email: string | null }>(
      `SELECT account.email FROM workspace JOIN user_account account ON account.id = workspace.owner_id
       WHERE workspace.id = $1 AND account.email_verified`,
      [workspaceId],
    );
    return row?.email ?? null;
  },
};
