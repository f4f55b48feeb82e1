import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';

export const reportingStore = {
  async fresh(
    workspaceId: string,
    tx: Tx,
    monitorKeys: readonly number[],
    now: Date,
  ): Promise<{ monitorKey: number; kind: number; region: number }[]> {
    return tx.query(
      `SELECT monitor_key AS "monitorKey", kind, region FROM series
       WHERE monitor_key = ANY (ARRAY(SELECT monitor_key FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = ANY ($2)))
         AND conclusive_at IS NOT NULL AND NOT stale AND fresh_until > $3`,
      [workspaceId, monitorKeys, now],
    );
  },

  /** Regions that check the monitor and have reported any result of it. */
  async regionsWithResults(workspaceId: string, tx: Tx, monitorKey: number): Promise<Region[]> {
    const rows = await tx.query<{ region: number }>(
      `SELECT DISTINCT region FROM series JOIN verdict_subject subject USING (monitor_key)
       WHERE subject.workspace_id = $1 AND monitor_key = $2 AND last_scheduled_at IS NOT NULL`,
      [workspaceId, monitorKey],
    );
    return rows.map(({ region }) => regionOfCode(region));
  },

  /** By region: monitors, checks a minute by their intervals, and those of them whose results arrive. */
  async byRegion(
    workspaceId: string,
    tx: Tx,
    now: Date,
  ): Promise<{ region: number; monitors: number; checksPerMinute: number; reportingPerMinute: number }[]> {
    return tx.query(
      `SELECT region, count(DISTINCT monitor_key) AS monitors, sum(60000.0 / check_interval_ms)::float8 AS "checksPerMinute",
         coalesce(sum(60000.0 / check_interval_ms) FILTER (
           WHERE last_scheduled_at > $2::timestamptz - fresh_most_ms * interval '1 ms'), 0)::float8 AS "reportingPerMinute"
       FROM verdict_subject subject JOIN series USING (monitor_key)
       WHERE subject.workspace_id = $1 AND is_enabled AND counts_from < 'infinity' GROUP BY region`,
      [workspaceId, now],
    );
  },
};
