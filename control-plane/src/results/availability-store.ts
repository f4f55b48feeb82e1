import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../db/database.js';
import type { RegionSpan } from './decide-timeline.js';
import { AVAILABILITY_KINDS } from './verdict.js';

const KINDS = [...AVAILABILITY_KINDS].map((kind) => CHECK_KIND_CODES[kind]);
/** The longest that a result speaks: two intervals of an hour and a timeout of a minute, and to spare. */
export const LONGEST_FRESH = "interval '3 hours'";

export interface RegionCounts {
  region: Region;
  healthy: number;
  unhealthy: number;
}

/** A monitor of the workspace, as the reports of this slice need it. */
export interface ReportedMonitor {
  monitorKey: number;
  regions: string[];
}

export const availabilityStore = {
  async monitor(workspaceId: string, tx: Tx, monitorId: string): Promise<ReportedMonitor | undefined> {
    const [row] = await tx.query<ReportedMonitor>(
      `SELECT monitor_key AS "monitorKey", enabled_regions AS regions FROM verdict_subject
       WHERE workspace_id = $1 AND monitor_id = $2`,
      [workspaceId, monitorId],
    );
    return row;
  },

  /** Conclusive checks by region. */
  async counts(workspaceId: string, tx: Tx, monitorKey: number, from: Date, to: Date): Promise<RegionCounts[]> {
    const rows = await tx.query<Omit<RegionCounts, 'region'> & { code: number }>(
      `SELECT region AS code, count(*) FILTER (WHERE outcome = 1) AS healthy, count(*) FILTER (WHERE outcome = 2) AS unhealthy
       FROM check_result
       WHERE monitor_key = (SELECT monitor_key FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = $2)
         AND scheduled_at >= $3 AND scheduled_at < $4 AND kind = ANY ($5) AND outcome IN (1, 2)
       GROUP BY region ORDER BY region`,
      [workspaceId, monitorKey, from, to, KINDS],
    );
    return rows.map(({ code, ...row }) => ({ ...row, region: regionOfCode(code) }));
  },

  /**
   * The stretches over which each region's results said the same: a result speaks until the region's next
   * conclusive one, or until it is no longer fresh. Islands of equal results are joined in the database,
   * so that a month of minute checks comes out as the few rows in which something happened.
   */
  async spans(workspaceId: string, tx: Tx, monitorKey: number, from: Date, to: Date): Promise<RegionSpan[]> {
    const rows = await tx.query<{ series: number; start: Date; end: Date; up: boolean }>(
      `WITH spoken AS (
         SELECT kind * 256 + region AS series, outcome = 1 AS up, scheduled_at AS starts,
           least(scheduled_at + fresh_s * interval '1 s',
             lead(scheduled_at) OVER (PARTITION BY kind, region ORDER BY scheduled_at)) AS ends
         FROM check_result
         WHERE monitor_key = (SELECT monitor_key FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = $2)
           AND scheduled_at >= $3::timestamptz - ${LONGEST_FRESH} AND scheduled_at < $4
           AND kind = ANY ($5) AND outcome IN (1, 2)
       ), marked AS (
         SELECT *, (lag(ends) OVER series IS DISTINCT FROM starts OR lag(up) OVER series <> up)::integer AS begins
         FROM spoken WINDOW series AS (PARTITION BY series ORDER BY starts)
       ), island AS (
         SELECT *, sum(begins) OVER (PARTITION BY series ORDER BY starts) AS number FROM marked
       )
       SELECT series, min(starts) AS start, max(ends) AS "end", bool_and(up) AS up
       FROM island GROUP BY series, number HAVING max(ends) > $3 ORDER BY series, start`,
      [workspaceId, monitorKey, from, to, KINDS],
    );
    return rows.map(({ start, end, ...row }) => ({ ...row, startMs: start.getTime(), endMs: end.getTime() }));
  },
};
