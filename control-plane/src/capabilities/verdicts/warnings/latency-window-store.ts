import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { WindowCheck } from './decide-latency.js';

export interface WindowWanted {
  monitorKey: number;
  /** The maximum number of checks per region. */
  checks: number;
  /** Earlier checks are too old to represent the present speed. */
  fromMs: number;
}

/** The latest successful HTTP checks of monitors of any workspace, as verdicts need them. */
export const latencyWindowStore = {
  /** By monitor and region, oldest first. One scan of the primary key per monitor, bounded by `fromMs`. */
  async read(tx: Tx, wanted: readonly WindowWanted[]): Promise<Map<number, Map<Region, WindowCheck[]>>> {
    const windows = new Map<number, Map<Region, WindowCheck[]>>();
    if (wanted.length === 0) return windows;
    const rows = await tx.query<{ key: number; code: number; scheduledAtMs: number; totalUs: number }>(
      `SELECT wanted.key, region AS code, (extract(epoch FROM scheduled_at) * 1000)::bigint AS "scheduledAtMs", total_us AS "totalUs"
       FROM unnest($1::bigint[], $2::integer[], $3::timestamptz[]) AS wanted (key, checks, since)
       CROSS JOIN LATERAL (
         SELECT region, scheduled_at, total_us, row_number() OVER (PARTITION BY region ORDER BY scheduled_at DESC) AS place
         -- the second bound is constant: with it the planner excludes partitions
         FROM result_row(ARRAY[wanted.key], since, 'infinity') WHERE scheduled_at >= $4 AND kind = 1 AND outcome = 1
       ) AS latest
       WHERE place <= checks ORDER BY scheduled_at`,
      [
        wanted.map(({ monitorKey }) => monitorKey),
        wanted.map(({ checks }) => checks),
        wanted.map(({ fromMs }) => new Date(fromMs)),
        new Date(Math.min(...wanted.map(({ fromMs }) => fromMs))),
      ],
    );
    for (const { key, code, ...check } of rows) {
      const own = windows.get(key) ?? new Map<Region, WindowCheck[]>();
      windows.set(key, own);
      const region = regionOfCode(code);
      const checks = own.get(region);
      if (checks) checks.push(check);
      else own.set(region, [check]);
    }
    return windows;
  },
};
