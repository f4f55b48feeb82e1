import type { Tx } from '../../../platform/db/database.js';

export interface DirtyBucket {
  monitorKey: number;
  startsMs: number;
}

/**
 * Marks buckets as dirty. A bucket that is dirty already is only locked: a rollup that is recomputed at this moment either
 * reads what this transaction writes, or the bucket becomes dirty again. The order of the keys prevents deadlocks.
 */
export async function markDirtyBuckets(tx: Tx, buckets: readonly DirtyBucket[], isDay = false): Promise<void> {
  if (buckets.length === 0) return;
  await tx.query(
    `INSERT INTO dirty_bucket AS bucket (monitor_key, starts_at, is_day)
     SELECT DISTINCT monitor_key, 'epoch'::timestamptz + starts_ms * interval '1 ms', $3::boolean
     FROM unnest($1::bigint[], $2::bigint[]) AS made (monitor_key, starts_ms) ORDER BY 1, 2, 3
     ON CONFLICT (monitor_key, starts_at, is_day) DO UPDATE SET is_day = bucket.is_day WHERE false`,
    [buckets.map(({ monitorKey }) => monitorKey), buckets.map(({ startsMs }) => startsMs), isDay],
  );
}
