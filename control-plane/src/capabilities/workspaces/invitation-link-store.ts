import type { Tx } from '../../platform/db/database.js';

/** The links mailed in the last day, also of deleted invitations and workspaces. */
export const invitationLinkStore = {
  /**
   * Makes the transaction wait for its turn among those that count links of the user or to the address. All take the two
   * locks in this order, so that none waits for another in a circle.
   */
  async lock(tx: Tx, { email, userId }: { email: string; userId: string }): Promise<void> {
    for (const counted of [`inviter ${userId}`, `address ${email}`])
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('watchpost.invitation_link ' || $1, 0))`, [
        counted,
      ]);
  },

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
