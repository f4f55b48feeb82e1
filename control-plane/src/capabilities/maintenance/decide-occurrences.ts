import { DAY_MS } from '@watchpost/shared/time';
import { Temporal } from 'temporal-polyfill';
import { dateOf, dayNumberOf, decideDates } from './decide-dates.js';
import type { Recurrence } from './recurrence.js';

export interface WindowSchedule {
  /** Local date-time without offset, `2027-03-28T02:00` or with seconds. */
  startsAt: string;
  /** IANA name. */
  timezone: string;
  /** Elapsed time. */
  durationMs: number;
  /** Null: once. */
  recurrence: Recurrence | null;
  /** The exact start where `startsAt` was given as "now": a local time that exists twice would be the first one. */
  startedNowMs: number | null;
}

/** Half-open, ms since the epoch. */
export interface Occurrence {
  startMs: number;
  endMs: number;
}

/**
 * The occurrences that begin at or after `fromMs`, in order, computed as they are taken. Each begins at the local time of
 * `startsAt` on its date: one that does not exist moves forward by the gap of the clocks, one that exists twice is the first
 * (RFC 5545 §3.3.5). An occurrence ends where the next begins, should that be earlier: on days of 23 hours.
 */
export function* decideOccurrences(schedule: WindowSchedule, fromMs = -Infinity): Generator<Occurrence> {
  let former: Occurrence | null = null;
  for (const startMs of startsFrom(schedule, fromMs)) {
    if (former && former.startMs < startMs) {
      if (former.startMs >= fromMs) yield { startMs: former.startMs, endMs: Math.min(former.endMs, startMs) };
    }
    // Two dates begin at the same moment where a zone skipped a day: they are one occurrence.
    former = { startMs, endMs: startMs + schedule.durationMs };
  }
  if (former && former.startMs >= fromMs) yield former;
}

function* startsFrom(
  { startsAt, timezone, recurrence, startedNowMs }: WindowSchedule,
  fromMs: number,
): Generator<number> {
  const startDay = dayNumberOf(startsAt);
  const time = startsAt.slice(11);
  // A local date is at most a day from the date in UTC, and a zone may skip one more.
  const fromDay = fromMs === -Infinity ? startDay : Math.max(startDay, Math.floor(fromMs / DAY_MS) - 2);
  for (const { day } of decideDates(recurrence, startDay, fromDay)) {
    const local = `${dateOf(day)}T${time}`;
    const startMs = day === startDay && startedNowMs !== null ? startedNowMs : instantOf(local, timezone);
    if (isPast(local, startMs, recurrence)) return;
    yield startMs;
  }
}

/** Whether the rule ended before this start. */
function isPast(local: string, startMs: number, recurrence: Recurrence | null): boolean {
  const until = recurrence?.until;
  if (!until) return false;
  return until.kind === 'instant' ? startMs > until.ms : withSeconds(local) > until.text;
}

function withSeconds(local: string): string {
  return local.length === 16 ? `${local}:00` : local;
}

/** The moment of a local time: the first of two, and moved forward by the gap where there is none. */
export function instantOf(local: string, timezone: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(timezone, { disambiguation: 'compatible' })
    .epochMilliseconds;
}

/** The local time of a moment, to the second, without seconds where they are zero. */
export function localOf(ms: number, timezone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDateTime();
  return local.toString({ smallestUnit: local.second === 0 ? 'minute' : 'second', roundingMode: 'floor' });
}

/** The shortest time between the dates of the rule, ms of days of 24 hours; Infinity where there is one date only. */
export function shortestDistanceMs({ startsAt, recurrence }: Pick<WindowSchedule, 'startsAt' | 'recurrence'>): number {
  const startDay = dayNumberOf(startsAt);
  let [former, shortest, seen]: [number | null, number, number] = [null, Infinity, 0];
  for (const { day } of decideDates(recurrence, startDay, startDay)) {
    if (former !== null) shortest = Math.min(shortest, day - former);
    former = day;
    // A rule repeats itself well before that, or is rare.
    if (++seen > 200) break;
  }
  return shortest * DAY_MS;
}
