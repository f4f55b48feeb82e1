import type { Tx } from '../../platform/db/database.js';

/** The links mailed in the last day, also of deleted invitations and workspaces. */
export const invitationLinkStore = {
  /** @param link `email` in lower case; `ownerId` owns the workspace, `userId` invites */
  async insert(tx: Tx, link: { email: string; ownerId: string; userId: string; created: Date }): Promise<void> {
    await tx.query('INSERT INTO invitation_link (email, owner_id, invited_by, created) VALUES ($1, $2, $3, $4)', [
      link.email,
      link.ownerId,
      link.userId,
      link.created,
    ]);
  },

  /** Counts the links mailed since a moment: by the user, to the address by the owner's workspaces, and to the address by all. */
  async count(
    tx: Tx,
    { email, ownerId, userId }: { email: string; ownerId: string; userId: string },
    since: Date,
  ): Promise<{ ofInviter: number; ofOwner: number; ofAll: number }> {
    const [row] = await tx.query<{ ofInviter: number; ofOwner: number; ofAll: number }>(
      `SELECT (SELECT count(*) FROM invitation_link WHERE invited_by = $3 AND created > $4) AS "ofInviter",
         count(*) FILTER (WHERE owner_id = $2) AS "ofOwner", count(*) AS "ofAll"
       FROM invitation_link WHERE email = $1 AND created > $4`,
      [email, ownerId, userId, since],
    );
    return row!;
  },

  async purge(tx: Tx, before: Date): Promise<void> {
    await tx.query('DELETE FROM invitation_link WHERE created < $1', [before]);
  },
};
