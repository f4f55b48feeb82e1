import { regionOfCode } from '@watchpost/shared/region';
import type { SeriesCounts } from '../series/results-metrics.js';
import type { Tx } from '../../../platform/db/database.js';

export const silenceStore = {
  /**
   * Marks series whose last result is no longer fresh as stale, at most `limit`. Rows that a batch has locked are left for
   * the next sweep. There is deliberately no index on fresh_until: every result changes it, which would prevent heap-only
   * updates. A sweep reads the table instead, which is small; for the costs see
   * docs/decisions/0003-batch-ingest-in-one-statement.md.
   * @returns the monitors of the series
   */
  async markStale(tx: Tx, now: Date, limit: number): Promise<number[]> {
    const rows = await tx.query<{ key: number }>(
      `WITH overdue AS (
         SELECT monitor_key, kind, region FROM series
         WHERE NOT stale AND fresh_until <= $1 ORDER BY monitor_key, kind, region LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       UPDATE series SET stale = true, settled = false FROM overdue
       WHERE series.monitor_key = overdue.monitor_key AND series.kind = overdue.kind AND series.region = overdue.region
       RETURNING series.monitor_key AS key`,
      [now, limit],
    );
    return rows.map(({ key }) => key);
  },

  /** Monitors whose verdict must be decided again by now, the oldest first, at most `limit`. */
  async toDecide(tx: Tx, now: Date, limit: number): Promise<number[]> {
    const rows = await tx.query<{ key: number }>(
      `SELECT monitor_key AS key FROM monitor_state JOIN verdict_subject USING (monitor_key)
       WHERE decide_at <= $1 ORDER BY decide_at LIMIT $2`,
      [now, limit],
    );
    return rows.map(({ key }) => key);
  },

  /** Counts series by region and monitors by health, for the metrics. */
  async count(tx: Tx, now: Date): Promise<SeriesCounts> {
    const regions = await tx.query<{ code: number; checks: number; stale: number; failing: number; silentS: number }>(
      `SELECT region AS code, count(*) FILTER (WHERE counts_from < 'infinity') AS checks, count(*) FILTER (WHERE stale) AS stale,
         count(*) FILTER (WHERE failing AND NOT stale) AS failing,
         coalesce(extract(epoch FROM $1 - min(fresh_until) FILTER (WHERE stale)), 0)::float8 AS "silentS"
       FROM series GROUP BY region`,
      [now],
    );
    const monitors = await tx.query<{ health: string; count: number }>(
      `SELECT coalesce(health_status, 'unknown') AS health, count(*) AS count FROM monitor_state state
       WHERE health_status IS NOT NULL OR EXISTS (
         SELECT FROM series WHERE series.monitor_key = state.monitor_key AND counts_from < 'infinity')
       GROUP BY 1`,
    );
    return {
      regions: new Map(regions.map(({ code, ...row }) => [regionOfCode(code), row])),
      monitorsByHealth: new Map(monitors.map(({ health, count }) => [health, count])),
    };
  },
};
