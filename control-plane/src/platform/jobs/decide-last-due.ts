import { MINUTE_MS } from '@watchpost/shared/time';

/** No job is due less often. */
const LONGEST_MINUTES = 32 * 24 * 60;

/** A moment as timetables see it; UTC, months from 1. */
export interface TimetableMinute {
  min: number;
  hour: number;
  date: number;
  month: number;
  dow: number;
}

/** When a job was due last, at this moment included: ms since the epoch; null where it was not in the last 32 days. */
export function decideLastDue(isDue: (minute: TimetableMinute) => boolean, nowMs: number): number | null {
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  for (let ago = 0; ago < LONGEST_MINUTES; ago++) {
    const atMs = minuteMs - ago * MINUTE_MS;
    if (isDue(minuteOf(atMs))) return atMs;
  }
  return null;
}

function minuteOf(atMs: number): TimetableMinute {
  const at = new Date(atMs);
  return {
    min: at.getUTCMinutes(),
    hour: at.getUTCHours(),
    date: at.getUTCDate(),
    month: at.getUTCMonth() + 1,
    dow: at.getUTCDay(),
  };
}
