import { Temporal } from 'temporal-polyfill';

export const REPORT_KINDS = ['daily', 'weekly', 'monthly'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export interface DuePeriod {
  /** `YYYY-MM-DD` in the zone: what names the period. */
  starts: string;
  /** Half-open, ms since the epoch. */
  startMs: number;
  endMs: number;
}

/** On the clock of the zone: late results are in, and people find it in the morning. */
const SENT_AT_HOUR = 6;
/** A report that could not be sent for longer is left out: the next one is near. */
const OVERDUE_HOURS: Readonly<Record<ReportKind, number>> = { daily: 18, weekly: 3 * 24, monthly: 7 * 24 };

/**
 * The whole day, week (from Monday) or month before the moment, by the clock of a zone, once it is time to send its
 * report. Days on which clocks change have 23 or 25 hours.
 * @returns undefined while it is too early, or much too late
 */
export function decideDuePeriod(kind: ReportKind, timeZone: string, nowMs: number): DuePeriod | undefined {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone);
  const end = lastEnd(kind, now.toPlainDate());
  const start = end.subtract(LENGTHS[kind]);
  const endMs = startOfDay(end, timeZone);
  const due = end.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(SENT_AT_HOUR) }).epochMilliseconds;
  if (nowMs < due || nowMs >= due + OVERDUE_HOURS[kind] * 3_600_000) return undefined;
  return { starts: start.toString(), startMs: startOfDay(start, timeZone), endMs };
}

const LENGTHS: Readonly<Record<ReportKind, Temporal.DurationLike>> = {
  daily: { days: 1 },
  weekly: { weeks: 1 },
  monthly: { months: 1 },
};

/** The last day with which a new period began. */
function lastEnd(kind: ReportKind, today: Temporal.PlainDate): Temporal.PlainDate {
  if (kind === 'daily') return today;
  return kind === 'weekly' ? today.subtract({ days: today.dayOfWeek - 1 }) : today.with({ day: 1 });
}

function startOfDay(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime({ timeZone }).epochMilliseconds;
}
