import type { Tx } from '../../../platform/db/database.js';

export interface DirtyBucket {
  monitorKey: number;
  startsMs: number;
}

/**
 * Marks buckets. What is marked already is locked, and not written again: whoever makes the rollup anew at this moment
 * either sees what this transaction writes, or is marked again. In one order, so that two that mark the same wait one way only.
 */
const MARK = (marks: string) =>
  `INSERT INTO dirty_bucket AS bucket (monitor_key, starts_at, is_day) ${marks} ORDER BY 1, 2, 3
   ON CONFLICT (monitor_key, starts_at, is_day) DO UPDATE SET is_day = bucket.is_day WHERE false`;

export const dirtyBucketStore = {
  async mark(tx: Tx, marks: readonly DirtyBucket[], isDay: boolean): Promise<void> {
    if (marks.length === 0) return;
    await tx.query(
      MARK(`SELECT DISTINCT monitor_key, 'epoch'::timestamptz + starts_ms * interval '1 ms', $3::boolean
            FROM unnest($1::bigint[], $2::bigint[]) AS made (monitor_key, starts_ms)`),
      [marks.map(({ monitorKey }) => monitorKey), marks.map(({ startsMs }) => startsMs), isDay],
    );
  },

  /** Marks an hour of every monitor there is: what it holds is not known without looking. */
  async markAll(tx: Tx, startsAt: Date): Promise<void> {
    await tx.query(MARK('SELECT monitor_key, $1::timestamptz, false FROM rollup_subject'), [startsAt]);
  },

  /**
   * Takes marked hours away, to be rolled up in this transaction; those that another process is at, or that are just
   * being written to, are left.
   */
  takeHours(tx: Tx, limit: number): Promise<DirtyBucket[]> {
    return take(tx, limit, 'NOT is_day');
  },

  /** The same for days that are over, and whose hours are all rolled up. */
  takeDays(tx: Tx, limit: number): Promise<DirtyBucket[]> {
    return take(
      tx,
      limit,
      `is_day AND starts_at + interval '1 day' <= (SELECT closed_until FROM rollup_progress)
       AND NOT EXISTS (
         SELECT 1 FROM dirty_bucket hour WHERE hour.monitor_key = bucket.monitor_key AND NOT hour.is_day
           AND hour.starts_at >= bucket.starts_at AND hour.starts_at < bucket.starts_at + interval '1 day')`,
    );
  },

  /** How many buckets wait for their rollup; days that go on do not. */
  async waiting(tx: Tx): Promise<number> {
    const [row] = await tx.query<{ waiting: number }>(
      `SELECT count(*) AS waiting FROM dirty_bucket
       WHERE NOT is_day OR starts_at + interval '1 day' <= (SELECT closed_until FROM rollup_progress)`,
    );
    return row!.waiting;
  },
};

function take(tx: Tx, limit: number, which: string): Promise<DirtyBucket[]> {
  return tx.query<DirtyBucket>(
    `WITH taken AS MATERIALIZED (
       SELECT monitor_key, starts_at, is_day FROM dirty_bucket bucket WHERE ${which}
       ORDER BY starts_at, monitor_key LIMIT $1 FOR UPDATE OF bucket SKIP LOCKED
     )
     DELETE FROM dirty_bucket bucket USING taken
     WHERE bucket.monitor_key = taken.monitor_key AND bucket.starts_at = taken.starts_at AND bucket.is_day = taken.is_day
     RETURNING bucket.monitor_key AS "monitorKey", (date_part('epoch', bucket.starts_at) * 1000)::bigint AS "startsMs"`,
    [limit],
  );
}
