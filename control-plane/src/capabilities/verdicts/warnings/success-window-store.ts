import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';

export interface WindowCheck {
  scheduledAtMs: number;
  totalUs: number;
  /** The failed assertions that only warn, as a sentence; null: none failed. */
  warning: string | null;
}

/** The latest successful HTTP checks of a monitor in each region, oldest first. */
export type SuccessWindows = ReadonlyMap<Region, readonly WindowCheck[]>;

export interface WindowWanted {
  monitorKey: number;
  checks: number;
  /** Earlier checks are too old to represent the present state. */
  fromMs: number;
  /** True where their warnings are read too. */
  withWarnings: boolean;
}

/** The latest successful HTTP checks of monitors of any workspace, as verdicts need them. */
export const successWindowStore = {
  /** By monitor. One scan of the primary key per monitor, bounded by `fromMs`. */
  async read(tx: Tx, wanted: readonly WindowWanted[]): Promise<Map<number, SuccessWindows>> {
    const windows = new Map<number, Map<Region, WindowCheck[]>>();
    if (wanted.length === 0) return windows;
    const rows = await tx.query<WindowCheck & { key: number; code: number }>(
      `SELECT wanted.key, region AS code, (extract(epoch FROM scheduled_at) * 1000)::bigint AS "scheduledAtMs", total_us AS "totalUs",
         CASE WHEN with_warnings THEN (
           SELECT message FROM check_failure failure WHERE failure.monitor_key = wanted.key AND failure.kind = 1
             AND failure.region = latest.region AND failure.scheduled_at = latest.scheduled_at AND failure.scheduled_at >= $4
         ) END AS warning
       FROM unnest($1::bigint[], $2::integer[], $3::timestamptz[], $5::boolean[]) AS wanted (key, checks, since, with_warnings)
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
        wanted.map(({ withWarnings }) => withWarnings),
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
