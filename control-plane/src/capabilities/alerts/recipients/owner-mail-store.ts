import type { Tx } from '../../../platform/db/database.js';

/** How the owner of a workspace is written to. */
export const ownerMailStore = {
  async email(workspaceId: string, tx: Tx): Promise<string | null> {
    const [row] = await tx.query<{ email: string | null }>(
      `SELECT account.email FROM workspace JOIN user_account account ON account.id = workspace.owner_id
       WHERE workspace.id = $1`,
      [workspaceId],
    );
    return row?.email ?? null;
  },

  /** null where the provider did not verify it. */
  async verifiedEmail(workspaceId: string, tx: Tx): Promise<string | null> {
    const [row] = await tx.query<{ email: string | null }>(
      `SELECT account.email FROM workspace JOIN user_account account ON account.id = workspace.owner_id
       WHERE workspace.id = $1 AND account.email_verified`,
      [workspaceId],
    );
    return row?.email ?? null;
  },
};
