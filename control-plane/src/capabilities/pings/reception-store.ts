import type { Tx } from '../../platform/db/database.js';

/** When the installation as a whole received pings; for all workspaces. */
export const receptionStore = {
  /** Notes that pings are received now. @returns false where the last note is older than `outageMs`: nothing is noted then */
  async note(tx: Tx, now: Date, outageMs: number): Promise<boolean> {
    const noted = await tx.execute(
      `UPDATE ping_reception SET received_until = greatest(received_until, $1)
       WHERE id = 1 AND received_until >= $1::timestamptz - $2 * interval '1 ms'`,
      [now, outageMs],
    );
    return noted > 0;
  },

  /**
   * Records that no process could receive pings since the last note, and lets the sweep decide all heartbeats again that expect
   * a ping. Another process may have done so in the meantime.
   */
  async resume(tx: Tx, now: Date, outageMs: number): Promise<void> {
    const [former] = await tx.query<{ receivedUntil: Date }>(
      'SELECT received_until AS "receivedUntil" FROM ping_reception WHERE id = 1 FOR UPDATE',
    );
    if (former && former.receivedUntil.getTime() < now.getTime() - outageMs) {
      await tx.query('INSERT INTO ping_outage (started, ended) VALUES ($1, $2) ON CONFLICT (started) DO NOTHING', [
        former.receivedUntil,
        now,
      ]);
      await tx.query(
        `WITH held AS (
           -- in the order of all who lock verdicts
           SELECT state.monitor_key FROM monitor_state state JOIN heartbeat USING (monitor_key)
           WHERE due_from IS NOT NULL AND decide_at IS NOT NULL ORDER BY 1 FOR UPDATE OF state
         )
         UPDATE monitor_state SET decide_at = $1 FROM held WHERE monitor_state.monitor_key = held.monitor_key`,
        [now],
      );
    }
    await tx.query(
      `INSERT INTO ping_reception AS known (id, received_until) VALUES (1, $1)
       ON CONFLICT (id) DO UPDATE SET received_until = greatest(known.received_until, excluded.received_until)`,
      [now],
    );
  },

  /** Removes outages that ended before `before` and that extend no deadline. */
  async purge(tx: Tx, before: Date): Promise<void> {
    await tx.query('DELETE FROM ping_outage WHERE ended < least($1, (SELECT min(due_from) FROM heartbeat))', [before]);
  },
};
