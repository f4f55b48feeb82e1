import { DAY_MS } from '@watchpost/shared/time';

/** How long hourly rollups are kept, days: more than 13 months. Also the longest period that a report covers. */
export const HOURLY_DAYS = 400;

/** Since when rows and hours are kept; days are kept for good. */
export function keptFrom({ nowMs, retentionDays }: { nowMs: number; retentionDays: number }): {
  rowsFromMs: number;
  hoursFromMs: number;
} {
  return {
    rowsFromMs: nowMs - retentionDays * DAY_MS,
    hoursFromMs: nowMs - Math.max(HOURLY_DAYS, retentionDays) * DAY_MS,
  };
}
