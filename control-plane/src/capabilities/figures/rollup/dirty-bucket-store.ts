import type { Tx } from '../../../platform/db/database.js';
import type { DirtyBucket } from '../../verdicts/index.js';

/** Days that have ended. */
const ENDED = "starts_at <= (SELECT closed_until FROM rollup_progress) - interval '1 day'";

export const dirtyBucketStore = {
  /** Marks an hour of all monitors, as `markDirtyBuckets` does. Which of them have results in it is not known. */
  async markAll(tx: Tx, startsAt: Date): Promise<void> {
    await tx.query(
      `INSERT INTO dirty_bucket AS bucket (monitor_key, starts_at, is_day)
       SELECT monitor_key, $1::timestamptz, false FROM rollup_subject ORDER BY 1
       ON CONFLICT (monitor_key, starts_at, is_day) DO UPDATE SET is_day = bucket.is_day WHERE false`,
      [startsAt],
    );
  },

  /**
   * Deletes dirty hours after a bucket, the oldest first. The caller rolls them up in this transaction. Hours that another
   * process has locked, for a rollup or to write results, are skipped.
   */
  takeHours(tx: Tx, after: DirtyBucket, limit: number): Promise<DirtyBucket[]> {
    return take(tx, after, limit, 'NOT is_day');
  },

  /** The same for days that have ended and of which no hour is dirty. */
  takeDays(tx: Tx, after: DirtyBucket, limit: number): Promise<DirtyBucket[]> {
    // With NOT instead of IS NOT TRUE, the hours of a day would be searched in the index by start, and not by monitor.
    return take(
      tx,
      after,
      limit,
      `is_day AND ${ENDED} AND NOT EXISTS (
         SELECT 1 FROM dirty_bucket hour WHERE hour.monitor_key = bucket.monitor_key AND hour.is_day IS NOT TRUE
           AND hour.starts_at >= bucket.starts_at AND hour.starts_at < bucket.starts_at + interval '1 day')`,
    );
  },

  /** The number of buckets to roll up; days that have not ended are not counted. */
  async waiting(tx: Tx): Promise<number> {
    return tx.value(
      `SELECT (SELECT count(*) FROM dirty_bucket WHERE NOT is_day)
         + (SELECT count(*) FROM dirty_bucket WHERE is_day AND ${ENDED}) AS waiting`,
    );
  },
};

/**
 * By the index of the order in which buckets are taken. A portion begins where the one before it ended: a scan from the
 * first bucket would pass all deleted ones again.
 */
function take(tx: Tx, after: DirtyBucket, limit: number, which: string): Promise<DirtyBucket[]> {
  return tx.query<DirtyBucket>(
    `DELETE FROM dirty_bucket WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM dirty_bucket bucket
       WHERE ${which} AND (starts_at, monitor_key) > ('epoch'::timestamptz + $2::bigint * interval '1 ms', $3::bigint)
       ORDER BY starts_at, monitor_key LIMIT $1 FOR UPDATE OF bucket SKIP LOCKED))
     RETURNING monitor_key AS "monitorKey", (date_part('epoch', starts_at) * 1000)::bigint AS "startsMs"`,
    [limit, after.startsMs, after.monitorKey],
  );
}
