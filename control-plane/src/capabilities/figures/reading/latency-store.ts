import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { LatencyFigures, LatencyPhases } from '../rollup/latency-figures.js';
import { LATENCY_KINDS, phaseOf } from '../rollup/packets.js';

export interface LatencyPoint extends LatencyPhases {
  bucket: number;
  checks: number;
  average: number;
  p50: number;
  p95: number;
  p99: number;
}

/** Successful checks: the duration of a failure is no measure of how fast the site is. */
const SUCCESSFUL = `FROM result_row(ARRAY[$2::bigint], $3, $4)
  WHERE monitor_key = (SELECT monitor_key FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = $2) AND kind IN (${LATENCY_KINDS.join()}) AND outcome = 1`;
const ms = (expression: string) => `round((${expression})::numeric / 1000, 2)::float8`;
const phase = (column: string) => ms(`avg(${phaseOf(column)})`);
const PHASES = `${ms('avg(dns_us)')} AS dns, ${phase('connect_us')} AS connect, ${phase('tls_us')} AS tls,
  ${ms('avg(first_byte_us)')} AS "firstByte", ${ms('avg(transfer_us)')} AS transfer`;

export const latencyStore = {
  /** Figures of all regions together (region null) and of each region. */
  async figures(
    workspaceId: string,
    tx: Tx,
    monitorKey: number,
    from: Date,
    to: Date,
  ): Promise<({ region: Region | null } & LatencyFigures & LatencyPhases)[]> {
    const rows = await tx.query<{ code: number | null; percentiles: number[] | null } & LatencyFigures & LatencyPhases>(
      `SELECT region AS code, count(*) AS checks, ${ms('avg(total_us)')} AS average, ${ms('min(total_us)')} AS min,
         ${ms('max(total_us)')} AS max, percentile_cont(ARRAY[0.5, 0.9, 0.95, 0.99]) WITHIN GROUP (ORDER BY total_us) AS percentiles, ${PHASES}
       ${SUCCESSFUL} GROUP BY GROUPING SETS ((), (region)) ORDER BY region NULLS FIRST`,
      [workspaceId, monitorKey, from, to],
    );
    return rows.map(({ code, percentiles, ...row }) => {
      const [p50 = null, p90 = null, p95 = null, p99 = null] = (percentiles ?? []).map(
        (us) => Math.round(us / 10) / 100,
      );
      return { ...row, region: code === null ? null : regionOfCode(code), p50, p90, p95, p99 };
    });
  },

  /** The same over time, in steps of `bucketMs` from `from` on; steps without checks are left out. */
  async series(
    workspaceId: string,
    tx: Tx,
    monitorKey: number,
    from: Date,
    to: Date,
    bucketMs: number,
  ): Promise<({ region: Region | null } & LatencyPoint)[]> {
    const rows = await tx.query<LatencyPoint & { code: number | null; percentiles: number[] }>(
      `WITH successful AS MATERIALIZED (
         SELECT kind, region, total_us, dns_us, connect_us, tls_us, first_byte_us, transfer_us, floor(extract(epoch FROM scheduled_at - $3::timestamptz)::float8 * 1000 / $5::float8)::integer AS bucket
         ${SUCCESSFUL}
       )
       SELECT region AS code, bucket, count(*) AS checks, ${ms('avg(total_us)')} AS average,
         percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY total_us) AS percentiles, ${PHASES}
       FROM successful GROUP BY GROUPING SETS ((bucket), (region, bucket)) ORDER BY region NULLS FIRST, bucket`,
      [workspaceId, monitorKey, from, to, bucketMs],
    );
    return rows.map(({ code, percentiles, ...row }) => ({
      ...row,
      region: code === null ? null : regionOfCode(code),
      p50: Math.round(percentiles[0]! / 10) / 100,
      p95: Math.round(percentiles[1]! / 10) / 100,
      p99: Math.round(percentiles[2]! / 10) / 100,
    }));
  },
};
