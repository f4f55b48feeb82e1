import type { Tx } from '../../db/database.js';
import type { HeldLane } from './delivery.js';

/** How many lanes that are due are looked at for one claim: enough to find others where one workspace has most of them. */
const LOOKED_AT = 1_000;

/** Whose turn it is, over all workspaces. */
export const laneStore = {
  /**
   * Takes lanes that are due until `leaseEnd`: a worker that dies loses them to another one then.
   * @param most of one workspace
   * @param full workspaces that have enough
   */
  async claim(
    tx: Tx,
    {
      now,
      leaseEnd,
      lease,
      limit,
      most,
      full,
    }: {
      now: Date;
      leaseEnd: Date;
      lease: string;
      limit: number;
      most: number;
      full: readonly string[];
    },
  ): Promise<HeldLane[]> {
    return tx.query<HeldLane>(
      `WITH waiting AS (
         SELECT workspace_id, lane, due_at FROM delivery_lane
         WHERE due_at <= $1 AND workspace_id <> ALL ($6::uuid[]) ORDER BY due_at LIMIT ${LOOKED_AT}
       ), fair AS (
         SELECT *, row_number() OVER (PARTITION BY workspace_id ORDER BY due_at) AS place FROM waiting
       ), due AS (
         SELECT own.workspace_id, own.lane FROM delivery_lane own JOIN fair USING (workspace_id, lane)
         WHERE fair.place <= $5 AND own.due_at <= $1
         ORDER BY fair.place, fair.due_at LIMIT $4 FOR UPDATE OF own SKIP LOCKED
       ), taken AS (
         UPDATE delivery_lane own SET due_at = $2, lease = $3 FROM due
         WHERE own.workspace_id = due.workspace_id AND own.lane = due.lane
         RETURNING own.workspace_id AS "workspaceId", own.lane, own.lease
       ) SELECT * FROM taken`,
      [now, leaseEnd, lease, limit, most, full],
    );
  },

  /** @returns false where another worker has it now */
  async renew({ workspaceId, lane, lease }: HeldLane, tx: Tx, leaseEnd: Date): Promise<boolean> {
    const rows = await tx.query(
      `WITH held AS (UPDATE delivery_lane SET due_at = $4 WHERE workspace_id = $1 AND lane = $2 AND lease = $3 RETURNING lane)
       SELECT lane FROM held`,
      [workspaceId, lane, lease, leaseEnd],
    );
    return rows.length > 0;
  },

  /** Gives it back, due at a moment. */
  async release({ workspaceId, lane, lease }: HeldLane, tx: Tx, dueAt: Date): Promise<void> {
    await tx.query(
      'UPDATE delivery_lane SET due_at = $4, lease = NULL WHERE workspace_id = $1 AND lane = $2 AND lease = $3',
      [workspaceId, lane, lease, dueAt],
    );
  },

  /**
   * Gives it back where nothing waits. Whoever adds something holds the lane afterwards: so the lane is held here
   * before it is looked at.
   * @returns false where something does wait
   */
  async releaseIfEmpty({ workspaceId, lane, lease }: HeldLane, tx: Tx): Promise<boolean> {
    await tx.query('SELECT FROM delivery_lane WHERE workspace_id = $1 AND lane = $2 FOR UPDATE', [workspaceId, lane]);
    const waiting = await tx.query(
      `SELECT FROM delivery WHERE workspace_id = $1 AND lane = $2 AND state = 'waiting' LIMIT 1`,
      [workspaceId, lane],
    );
    if (waiting.length > 0) return false;
    await tx.query(
      'UPDATE delivery_lane SET due_at = NULL, lease = NULL WHERE workspace_id = $1 AND lane = $2 AND lease = $3',
      [workspaceId, lane, lease],
    );
    return true;
  },

  /** Those that nothing has been sent to for long. @returns how many are gone */
  async purgeIdle(tx: Tx, limit: number): Promise<number> {
    const rows = await tx.query(
      `WITH idle AS (
         SELECT workspace_id, lane FROM delivery_lane own WHERE due_at IS NULL
           AND NOT EXISTS (SELECT FROM delivery d WHERE d.workspace_id = own.workspace_id AND d.lane = own.lane)
         LIMIT $1 FOR UPDATE SKIP LOCKED
       ), gone AS (
         DELETE FROM delivery_lane own USING idle WHERE own.workspace_id = idle.workspace_id AND own.lane = idle.lane
         RETURNING own.lane
       ) SELECT lane FROM gone`,
      [limit],
    );
    return rows.length;
  },
};
