import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import type { Tx } from '../db/database.js';
import { LONGEST_FRESH } from './availability-store.js';
import type { RegionSpan } from './decide-timeline.js';
import { AVAILABILITY_KINDS } from './verdict.js';

const KINDS = [...AVAILABILITY_KINDS].map((kind) => CHECK_KIND_CODES[kind]);

export interface MonitorSpan extends RegionSpan {
  monitorKey: number;
}

/** Conclusive checks of a monitor, in all regions, that were due in a stretch of time. */
export interface MonitorCount {
  monitorKey: number;
  /** Where the stretch begins, ms since the epoch. */
  startMs: number;
  healthy: number;
  unhealthy: number;
}

/** Availability of many monitors of a workspace at once: what is asked for does not grow with their number. */
export const jointAvailabilityStore = {
  /** As the spans of one monitor's availability; series are told apart within each monitor only. */
  async spans(
    workspaceId: string,
    tx: Tx,
    monitorKeys: readonly number[],
    from: Date,
    to: Date,
  ): Promise<MonitorSpan[]> {
    const rows = await tx.query<{ monitorKey: number; series: number; start: Date; end: Date; up: boolean }>(
      `WITH spoken AS (
         SELECT monitor_key, kind * 256 + region AS series, outcome = 1 AS up, scheduled_at AS starts,
           least(scheduled_at + fresh_s * interval '1 s',
             lead(scheduled_at) OVER (PARTITION BY monitor_key, kind, region ORDER BY scheduled_at)) AS ends
         FROM check_result
         WHERE monitor_key IN (SELECT monitor_key FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = ANY ($2))
           AND scheduled_at >= $3::timestamptz - ${LONGEST_FRESH} AND scheduled_at < $4
           AND kind = ANY ($5) AND outcome IN (1, 2)
       ), marked AS (
         SELECT *, (lag(ends) OVER series IS DISTINCT FROM starts OR lag(up) OVER series <> up)::integer AS begins
         FROM spoken WINDOW series AS (PARTITION BY monitor_key, series ORDER BY starts)
       ), island AS (
         SELECT *, sum(begins) OVER (PARTITION BY monitor_key, series ORDER BY starts) AS number FROM marked
       )
       SELECT monitor_key AS "monitorKey", series, min(starts) AS start, max(ends) AS "end", bool_and(up) AS up
       FROM island GROUP BY monitor_key, series, number HAVING max(ends) > $3 ORDER BY monitor_key, series, start`,
      [workspaceId, monitorKeys, from, to, KINDS],
    );
    return rows.map(({ start, end, ...row }) => ({ ...row, startMs: start.getTime(), endMs: end.getTime() }));
  },

  /** Stretches of `stepMs` that begin at whole multiples of it since the epoch. */
  async counts(
    workspaceId: string,
    tx: Tx,
    monitorKeys: readonly number[],
    from: Date,
    to: Date,
    stepMs: number,
  ): Promise<MonitorCount[]> {
    const rows = await tx.query<Omit<MonitorCount, 'startMs'> & { start: Date }>(
      `SELECT monitor_key AS "monitorKey", date_bin($6 * interval '1 ms', scheduled_at, 'epoch') AS start,
         count(*) FILTER (WHERE outcome = 1) AS healthy, count(*) FILTER (WHERE outcome = 2) AS unhealthy
       FROM check_result
       WHERE monitor_key IN (SELECT monitor_key FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = ANY ($2))
         AND scheduled_at >= $3 AND scheduled_at < $4 AND kind = ANY ($5) AND outcome IN (1, 2)
       GROUP BY 1, 2 ORDER BY 1, 2`,
      [workspaceId, monitorKeys, from, to, KINDS, stepMs],
    );
    return rows.map(({ start, ...row }) => ({ ...row, startMs: start.getTime() }));
  },
};
