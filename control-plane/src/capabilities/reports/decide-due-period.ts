import { Temporal } from 'temporal-polyfill';

export const REPORT_KINDS = ['daily', 'weekly', 'monthly'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export interface DuePeriod {
  /** The first day, `YYYY-MM-DD` in the zone, which identifies the period. */
  starts: string;
  /** Half-open, ms since the epoch. */
  startMs: number;
  endMs: number;
  /** Whether its report is long overdue. */
  isOverdue: boolean;
}

/** In local time: late results have arrived, and people find the report in the morning. */
const SENT_AT_HOUR = 6;
/** An older report goes only to recipients who already get this kind of report. */
const OVERDUE_HOURS: Readonly<Record<ReportKind, number>> = { daily: 18, weekly: 3 * 24, monthly: 7 * 24 };

/**
 * The last complete day, week (from Monday) or month in local time whose report is due by now. Days on which clocks change
 * have 23 or 25 hours.
 */
export function decideDuePeriod(kind: ReportKind, timeZone: string, nowMs: number): DuePeriod {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const newest = lastEnd(kind, today);
  const end = nowMs < dueMs(newest, timeZone) ? newest.subtract(LENGTHS[kind]) : newest;
  const start = end.subtract(LENGTHS[kind]);
  return {
    starts: start.toString(),
    startMs: startOfDay(start, timeZone),
    endMs: startOfDay(end, timeZone),
    isOverdue: nowMs >= dueMs(end, timeZone) + OVERDUE_HOURS[kind] * 3_600_000,
  };
}

/** When the next report of this kind is sent, ms since the epoch. */
export function decideNextDue(kind: ReportKind, timeZone: string, nowMs: number): number {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const newest = lastEnd(kind, today);
  const due = dueMs(newest, timeZone);
  return nowMs < due ? due : dueMs(newest.add(LENGTHS[kind]), timeZone);
}

const LENGTHS: Readonly<Record<ReportKind, Temporal.DurationLike>> = {
  daily: { days: 1 },
  weekly: { weeks: 1 },
  monthly: { months: 1 },
};

/** The last day on which a period began. */
function lastEnd(kind: ReportKind, today: Temporal.PlainDate): Temporal.PlainDate {
  if (kind === 'daily') return today;
  return kind === 'weekly' ? today.subtract({ days: today.dayOfWeek - 1 }) : today.with({ day: 1 });
}

/** When the report of the period that ends at the beginning of this day is due. */
function dueMs(end: Temporal.PlainDate, timeZone: string): number {
  return end.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(SENT_AT_HOUR) }).epochMilliseconds;
}

function startOfDay(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime({ timeZone }).epochMilliseconds;
}
