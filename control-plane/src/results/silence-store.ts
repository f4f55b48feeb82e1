import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../db/database.js';

export const silenceStore = {
  /**
   * Marks series whose last result speaks no longer, at most `limit`. Rows that a batch is just writing
   * are left for the next sweep. There is no index on fresh_until on purpose: every result changes it, and
   * that would end heap-only updates. A sweep reads the table instead, which is small; see
   * docs/decisions/0003-ingest.md for what both cost.
   * @returns the monitors of the series
   */
  async markStale(tx: Tx, now: Date, limit: number): Promise<number[]> {
    const rows = await tx.query<{ key: number }>(
      `WITH overdue AS (
         SELECT monitor_key, kind, region FROM region_state
         WHERE NOT stale AND fresh_until <= $1 ORDER BY monitor_key, kind, region LIMIT $2 FOR UPDATE SKIP LOCKED
       ), marked AS (
         UPDATE region_state series SET stale = true, settled = false FROM overdue
         WHERE series.monitor_key = overdue.monitor_key AND series.kind = overdue.kind AND series.region = overdue.region
         RETURNING series.monitor_key
       ) SELECT monitor_key AS key FROM marked`,
      [now, limit],
    );
    return rows.map(({ key }) => key);
  },

  /** Monitors whose verdict is due to be decided again, the longest due first, at most `limit`. */
  async due(tx: Tx, now: Date, limit: number): Promise<number[]> {
    const rows = await tx.query<{ key: number }>(
      `SELECT monitor_key AS key FROM monitor_state JOIN verdict_subject USING (monitor_key)
       WHERE decide_at <= $1 ORDER BY decide_at LIMIT $2`,
      [now, limit],
    );
    return rows.map(({ key }) => key);
  },

  /** How many series are stale in each region, and how many enabled monitors nobody can tell about. */
  async count(tx: Tx): Promise<{ staleByRegion: Map<Region, number>; unknownMonitors: number }> {
    const stale = await tx.query<{ region: number; count: number }>(
      'SELECT region, count(*) AS count FROM region_state WHERE stale GROUP BY region',
    );
    const [unknown] = await tx.query<{ count: number }>(
      `SELECT count(*) AS count FROM monitor_state state
       WHERE verdict = 'unknown' AND EXISTS (
         SELECT FROM region_state series WHERE series.monitor_key = state.monitor_key AND counts_from < 'infinity')`,
    );
    return {
      staleByRegion: new Map(stale.map((row) => [regionOfCode(row.region), row.count])),
      unknownMonitors: unknown!.count,
    };
  },
};
