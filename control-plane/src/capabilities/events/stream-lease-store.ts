import type { Tx } from '../../platform/db/database.js';

/** Longer than twice the time between renewals; after a crash the streams of a process count for no longer. */
const LEASE = '45 seconds';

/** The open streams of each principal, in all processes. The principal, a user or an API key, is the tenant. */
export const streamLeaseStore = {
  /** Takes a lease, in the transaction's turn among those of the principal. @returns false where it has `most` already */
  async take(principalId: string, tx: Tx, id: string, most: number): Promise<boolean> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('watchpost.event_stream ' || $1, 0))`, [principalId]);
    await tx.query('DELETE FROM event_stream_lease WHERE principal_id = $1 AND until < clock_timestamp()', [
      principalId,
    ]);
    const taken = await tx.execute(
      `INSERT INTO event_stream_lease (id, principal_id, until)
       SELECT $2, $1, clock_timestamp() + interval '${LEASE}'
       WHERE (SELECT count(*) FROM event_stream_lease WHERE principal_id = $1) < $3::integer`,
      [principalId, id, most],
    );
    return taken === 1;
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
