import type { Tx } from '../../platform/db/database.js';

/** Longer than twice the time between renewals; after a crash the streams of a process count for no longer. */
const LEASE = '45 seconds';

/** The user $2 with all of the user's API keys, and the principal $1, which may be a key that was just revoked. */
const PRINCIPALS = `SELECT unnest(ARRAY[$1, $2]::uuid[])
  UNION ALL SELECT key.id FROM workspace_member member JOIN api_key key ON key.member_id = member.id
  WHERE member.user_id = $2`;

/** The open streams of each principal, in all processes. The principal, a user or an API key, is the tenant. */
export const streamLeaseStore = {
  /**
   * Takes a lease, in the transaction's turn among those of the user.
   * @returns whose limit is reached, so that no lease was taken; null where one was
   */
  async take(
    principalId: string,
    tx: Tx,
    { id, userId }: { id: string; userId: string },
    most: { ofPrincipal: number; ofUser: number },
  ): Promise<'principal' | 'user' | null> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('watchpost.event_stream ' || $1, 0))`, [userId]);
    const whose = [principalId, userId];
    await tx.query(
      `DELETE FROM event_stream_lease WHERE principal_id IN (${PRINCIPALS}) AND until < clock_timestamp()`,
      whose,
    );
    const [held] = await tx.query<{ ofPrincipal: number; ofUser: number }>(
      `SELECT count(*) FILTER (WHERE principal_id = $1) AS "ofPrincipal", count(*) AS "ofUser"
       FROM event_stream_lease WHERE principal_id IN (${PRINCIPALS})`,
      whose,
    );
    if (held!.ofPrincipal >= most.ofPrincipal) return 'principal';
    if (held!.ofUser >= most.ofUser) return 'user';
    await tx.query(
      `INSERT INTO event_stream_lease (id, principal_id, until)
       VALUES ($1, $2, clock_timestamp() + interval '${LEASE}')`,
      [id, principalId],
    );
    return null;
  },

  /** Renews the leases of a process, whichever principals have them. */
  async renew(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(
      `UPDATE event_stream_lease SET until = clock_timestamp() + interval '${LEASE}' WHERE id = ANY ($1::uuid[])`,
      [ids],
    );
  },

  async release(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM event_stream_lease WHERE id = ANY ($1::uuid[])', [ids]);
  },

  /** Deletes lapsed leases of all principals. */
  async purge(tx: Tx): Promise<void> {
    await tx.query(`DELETE FROM event_stream_lease WHERE until < clock_timestamp() - interval '1 minute'`);
  },
};
