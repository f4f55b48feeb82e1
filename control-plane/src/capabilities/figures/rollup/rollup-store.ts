import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import type { DirtyBucket } from '../../verdicts/index.js';
import { PACKED_CHECKS, PACKED_TOTALS } from './packed-results.js';
import { IS_PING, PACKETS } from './packets.js';

const SUMS = ['total_us', 'dns_us', 'connect_us', 'tls_us', 'first_byte_us', 'transfer_us'] as const;
const NUMBERS = [...SUMS, 'up', 'down', 'inconclusive', 'min_us', 'max_us'] as const;
const TYPES: Readonly<Record<string, string>> = { kind: 'smallint', region: 'smallint' };
const KEYS = ['monitor_key', 'starts_ms', 'kind', 'region'] as const;
const VALUES = [...NUMBERS, 'spans', 'histogram'] as const;

/** A bucket as it is stored; columns as in the table, `starts_ms` since the epoch. */
export type Rollup = Record<(typeof KEYS)[number] | (typeof NUMBERS)[number], number> & {
  spans: Buffer;
  histogram: Buffer;
};

/** The numbers of a bucket, and the data from which its spans and its histogram are computed. */
export type RollupSource<Spans extends string, Histogram extends string> = Omit<Rollup, 'spans' | 'histogram'> &
  Record<Spans | Histogram, Buffer>;

const BUCKET = "'epoch'::timestamptz + bucket.starts_ms * interval '1 ms'";
/** The rows of the buckets. The constant bounds around all of them let the planner exclude the partitions of other days. */
const rowsOf = (
  at: string,
  source: string,
) => `FROM unnest($1::bigint[], $2::bigint[]) AS bucket (monitor_key, starts_ms)
  ${source}
  WHERE part.${at} >= $3 AND part.${at} < $4
  GROUP BY bucket.monitor_key, bucket.starts_ms, kind, region`;
const RESULTS = `CROSS JOIN LATERAL result_row(ARRAY[bucket.monitor_key], ${BUCKET}, ${BUCKET} + interval '1 hour') part`;
const HOURS = `JOIN check_rollup part ON part.monitor_key = bucket.monitor_key
  AND part.starts_at >= ${BUCKET} AND part.starts_at < ${BUCKET} + interval '1 day'`;

function summedOf(column: string): string {
  return column === PACKETS.sent || column === PACKETS.received ? `outcome = 1 OR ${IS_PING}` : 'outcome = 1';
}

export const rollupStore = {
  /** The results of these hours, by series. */
  hourSources(tx: Tx, hours: readonly DirtyBucket[]): Promise<RollupSource<'checks', 'totals'>[]> {
    return tx.query(
      `SELECT bucket.monitor_key, bucket.starts_ms, kind, region,
         ${SUMS.map((column) => `coalesce(sum(${column}) FILTER (WHERE ${summedOf(column)}), 0)::bigint AS ${column}`).join(', ')},
         count(*) FILTER (WHERE outcome = 1) AS up, count(*) FILTER (WHERE outcome = 2) AS down,
         count(*) FILTER (WHERE outcome NOT IN (1, 2)) AS inconclusive,
         coalesce(min(total_us) FILTER (WHERE outcome = 1), 0) AS min_us,
         coalesce(max(total_us) FILTER (WHERE outcome = 1), 0) AS max_us,
         ${PACKED_CHECKS} AS checks, ${PACKED_TOTALS} AS totals
       ${rowsOf('scheduled_at', RESULTS)}`,
      parametersOf(hours, HOUR_MS),
    );
  },

  /** The hours of these days, by series. */
  daySources(tx: Tx, days: readonly DirtyBucket[]): Promise<RollupSource<'spans', 'histogram'>[]> {
    return tx.query(
      `SELECT bucket.monitor_key, bucket.starts_ms, kind, region,
         ${[...SUMS, 'up', 'down', 'inconclusive'].map((column) => `sum(${column})::bigint AS ${column}`).join(', ')},
         coalesce(min(min_us) FILTER (WHERE up > 0), 0) AS min_us, max(max_us) AS max_us,
         string_agg(spans, ''::bytea ORDER BY starts_at) AS spans, string_agg(histogram, ''::bytea) AS histogram
       ${rowsOf('starts_at', HOURS)}`,
      parametersOf(days, DAY_MS),
    );
  },

  async write(tx: Tx, table: 'check_rollup' | 'check_rollup_day', rollups: readonly Rollup[]): Promise<void> {
    if (rollups.length === 0) return;
    const columns = [...KEYS, ...VALUES];
    const typeOf = (column: string) =>
      TYPES[column] ?? (column === 'spans' || column === 'histogram' ? 'bytea' : 'bigint');
    await tx.query(
      `INSERT INTO ${table} (monitor_key, starts_at, kind, region, ${VALUES.join(', ')})
       SELECT monitor_key, 'epoch'::timestamptz + starts_ms * interval '1 ms', kind, region, ${VALUES.join(', ')}
       FROM unnest(${columns.map((column, index) => `$${index + 1}::${typeOf(column)}[]`).join(', ')}) AS made (${columns.join(', ')})
       ORDER BY 1, 2, 3, 4
       ON CONFLICT (monitor_key, starts_at, kind, region) DO UPDATE
       SET ${VALUES.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      columns.map((column) => rollups.map((rollup) => rollup[column])),
    );
  },

  /** Deletes at most `limit` hours that start before `first`. @returns the number of deleted hours */
  async dropHours(tx: Tx, first: Date, limit: number): Promise<number> {
    return tx.execute(
      'DELETE FROM check_rollup WHERE ctid = ANY (ARRAY(SELECT ctid FROM check_rollup WHERE starts_at < $1 LIMIT $2))',
      [first, limit],
    );
  },
};

function parametersOf(buckets: readonly DirtyBucket[], lengthMs: number): unknown[] {
  const starts = buckets.map(({ startsMs }) => startsMs);
  return [
    buckets.map(({ monitorKey }) => monitorKey),
    starts,
    new Date(Math.min(...starts)),
    new Date(Math.max(...starts) + lengthMs),
  ];
}
