import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { OnCallShift } from './decide-on-call.js';
import type { ZoneClock } from './zone-clock.js';

export const HOUR_KINDS = ['weekday', 'night', 'weekend', 'holiday'] as const;
type HourKind = (typeof HOUR_KINDS)[number];
export type Hours = Record<HourKind, number>;

/** Local hours between which it is night. */
export const NIGHT = { fromHour: 22, toHour: 6 };

/**
 * The kind of a moment: a holiday, else a weekend, else a night (22:00 to 06:00), else a weekday, by local date and time.
 */
function hourKindOf(clock: ZoneClock, holidays: ReadonlySet<string>, atMs: number): HourKind {
  const local = new Date(clock.localAt(atMs));
  if (holidays.has(local.toISOString().slice(0, 10))) return 'holiday';
  if (local.getUTCDay() % 6 === 0) return 'weekend';
  return isNightHour(local.getUTCHours()) ? 'night' : 'weekday';
}

/** The hours of each person in a range, by kind. */
export function decideHours(
  shifts: readonly OnCallShift[],
  clock: ZoneClock,
  holidays: readonly string[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Map<string, Hours> {
  const free = new Set(holidays);
  const hours = new Map<string, Hours>();
  for (const { userId, startMs, endMs } of shifts) {
    if (userId === null) continue;
    const own = hours.get(userId) ?? { weekday: 0, night: 0, weekend: 0, holiday: 0 };
    hours.set(userId, own);
    const untilMs = Math.min(endMs, toMs);
    for (let atMs = Math.max(startMs, fromMs); atMs < untilMs;) {
      const nextMs = Math.min(nextBoundary(clock, atMs), untilMs);
      own[hourKindOf(clock, free, atMs)] += (nextMs - atMs) / HOUR_MS;
      atMs = nextMs;
    }
  }
  return hours;
}

/** The next moment at which the kind can change: midnight, and the ends of the night. */
function nextBoundary(clock: ZoneClock, atMs: number): number {
  const localMs = clock.localAt(atMs);
  const dayMs = Math.floor(localMs / DAY_MS) * DAY_MS;
  for (const hour of [NIGHT.toHour, NIGHT.fromHour, 24]) {
    const momentMs = clock.momentOf(dayMs + hour * HOUR_MS);
    if (momentMs > atMs) return momentMs;
  }
  return clock.momentOf(dayMs + DAY_MS + NIGHT.toHour * HOUR_MS);
}

const isNightHour = (hour: number): boolean => hour >= NIGHT.fromHour || hour < NIGHT.toHour;
