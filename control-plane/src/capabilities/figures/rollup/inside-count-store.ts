import type { Tx } from '../../../platform/db/database.js';
import type { Range } from './decide-bucket-plan.js';

export interface SeriesCounts {
  monitorKey: number;
  kind: number;
  region: number;
  /** Start of the step, or of the hour; 0 for one step. */
  startMs: number;
  up: number;
  down: number;
}

export interface MonitorRange extends Range {
  monitorKey: number;
}

const RANGES = `unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[]) AS range (monitor_key, starts, ends)
  JOIN verdict_subject subject ON subject.monitor_key = range.monitor_key AND subject.workspace_id = $1`;
const msOf = (column: string) => `(date_part('epoch', ${column}) * 1000)::bigint`;

function parametersOf(workspaceId: string, ranges: readonly MonitorRange[], kinds: readonly number[]): unknown[] {
  return [
    workspaceId,
    ranges.map(({ monitorKey }) => monitorKey),
    ranges.map(({ startMs }) => new Date(startMs)),
    ranges.map(({ endMs }) => new Date(endMs)),
    kinds,
    // The planner excludes the partitions of other days by them.
    new Date(Math.min(...ranges.map(({ startMs }) => startMs))),
    new Date(Math.max(...ranges.map(({ endMs }) => endMs))),
  ];
}

/** Checks that were scheduled in ranges of time, which differ by monitor and do not overlap. */
export const insideCountStore = {
  /** From single results, in steps of `stepMs`; null: one step. */
  async rows(
    workspaceId: string,
    tx: Tx,
    ranges: readonly MonitorRange[],
    kinds: readonly number[],
    stepMs: number | null,
  ): Promise<SeriesCounts[]> {
    const step =
      stepMs === null ? '0::bigint' : msOf(`date_bin(${stepMs} * interval '1 ms', result.scheduled_at, 'epoch')`);
    return tx.query<SeriesCounts>(
      `SELECT range.monitor_key AS "monitorKey", result.kind, result.region, ${step} AS "startMs",
         count(*) FILTER (WHERE outcome = 1) AS up, count(*) FILTER (WHERE outcome = 2) AS down
       FROM ${RANGES} CROSS JOIN LATERAL result_row(ARRAY[range.monitor_key], range.starts, range.ends) result
       WHERE result.kind = ANY ($5) AND result.scheduled_at >= $6 AND result.scheduled_at < $7 GROUP BY 1, 2, 3, 4`,
      parametersOf(workspaceId, ranges, kinds),
    );
  },

  /** The hours that the ranges overlap. */
  async hours(
    workspaceId: string,
    tx: Tx,
    ranges: readonly MonitorRange[],
    kinds: readonly number[],
  ): Promise<(SeriesCounts & { spans: Buffer })[]> {
    return tx.query<SeriesCounts & { spans: Buffer }>(
      `SELECT DISTINCT ON (1, 2, 3, 4) range.monitor_key AS "monitorKey", bucket.kind, bucket.region,
         ${msOf('bucket.starts_at')} AS "startMs", bucket.up, bucket.down, bucket.spans
       FROM ${RANGES} JOIN check_rollup bucket ON bucket.monitor_key = range.monitor_key
         AND bucket.starts_at > range.starts - interval '1 hour' AND bucket.starts_at < range.ends
       WHERE bucket.kind = ANY ($5) AND bucket.starts_at > $6::timestamptz - interval '1 hour' AND bucket.starts_at < $7`,
      parametersOf(workspaceId, ranges, kinds),
    );
  },
};
