import { DAY_MS } from '@watchpost/shared/time';
import type { Recurrence } from './recurrence.js';

/** How far a rule is followed from a day on: longer than from one 29 February to the next, around 2100 too. */
const SEARCHED_DAYS = 10 * 366;

/** A date as a number of days since 1970-01-01. */
export type DayNumber = number;

export interface RuleDate {
  day: DayNumber;
  /** Which date of the rule it is, from 1; 0 where the rule has no COUNT and dates before are not counted. */
  number: number;
}

export function dayNumberOf(date: string): DayNumber {
  return Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MS;
}

export function dateOf(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The dates of a rule from a day on, in order: arithmetic on calendar dates, in which zones and clocks play no part. It ends
 * with COUNT, and after ten years. It goes from month to month and not from day to day, because a rule with COUNT is followed from
 * its beginning: 50 years take 0.1 ms, where the days took 25 ms.
 * @param startDay the date of the window, with which weeks, months and COUNT begin
 */
export function* decideDates(rule: Recurrence | null, startDay: DayNumber, fromDay: DayNumber): Generator<RuleDate> {
  if (rule === null) {
    if (startDay >= fromDay) yield { day: startDay, number: 1 };
    return;
  }
  const { frequency, interval, count } = rule;
  // Without COUNT nothing depends on the dates before.
  const firstDay = count === null ? Math.max(startDay, fromDay) : startDay;
  const endDay = Math.max(startDay, fromDay) + SEARCHED_DAYS;
  const namedDays = namedDaysOf(rule, startDay);
  const startMonth = monthOf(startDay);
  const step = frequency === 'MONTHLY' ? interval : 1;
  const isInPeriod = periodMatcherOf(rule, startDay);
  let number = 0;
  let month = startMonth + Math.floor((monthOf(firstDay) - startMonth) / step) * step;
  for (; firstOf(month) < endDay; month += step) {
    const first = firstOf(month);
    for (const dayOfMonth of namedDays(weekdayOf(first), firstOf(month + 1) - first)) {
      const day = first + dayOfMonth - 1;
      if (day < firstDay || day >= endDay || !isInPeriod(day)) continue;
      if (count !== null && ++number > count) return;
      if (day >= fromDay) yield { day, number };
    }
  }
}

/** Whether INTERVAL leaves the day in; the months of a monthly rule are chosen before. */
function periodMatcherOf({ frequency, interval }: Recurrence, startDay: DayNumber): (day: DayNumber) => boolean {
  if (frequency === 'MONTHLY' || interval === 1) return () => true;
  const mondayOf = (day: DayNumber) => day - weekdayOf(day);
  return frequency === 'DAILY'
    ? (day) => (day - startDay) % interval === 0
    : (day) => (mondayOf(day) - mondayOf(startDay)) % (7 * interval) === 0;
}

/** The days of a month that the rule names. There are 28 kinds of months: by the weekday of the first, and by length. */
function namedDaysOf(
  { frequency, byDay, byMonthDay }: Recurrence,
  startDay: DayNumber,
): (firstWeekday: number, daysInMonth: number) => readonly number[] {
  const known = new Map<number, number[]>();
  const startDayOfMonth = startDay - firstOf(monthOf(startDay)) + 1;
  const isNamed = (dayOfMonth: number, weekday: number, daysInMonth: number): boolean => {
    if (byDay.length + byMonthDay.length === 0) {
      if (frequency === 'DAILY') return true;
      return frequency === 'WEEKLY' ? weekday === weekdayOf(startDay) : dayOfMonth === startDayOfMonth;
    }
    if (
      byDay.length > 0 &&
      !byDay.some((one) => one.weekday === weekday && isNth(one.ordinal, dayOfMonth, daysInMonth))
    )
      return false;
    if (byMonthDay.length === 0) return true;
    return byMonthDay.some((wanted) => (wanted > 0 ? wanted : daysInMonth + 1 + wanted) === dayOfMonth);
  };
  return (firstWeekday, daysInMonth) => {
    const kind = daysInMonth * 7 + firstWeekday;
    let days = known.get(kind);
    if (!days) {
      days = Array.from({ length: daysInMonth }, (_, index) => index + 1).filter((dayOfMonth) =>
        isNamed(dayOfMonth, (firstWeekday + dayOfMonth - 1) % 7, daysInMonth),
      );
      known.set(kind, days);
    }
    return days;
  };
}

/** 0 is Monday: 1970-01-01 was a Thursday. */
function weekdayOf(day: DayNumber): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Whether it is the nth of its weekday in the month, from the end where `ordinal` is negative. */
function isNth(ordinal: number | null, dayOfMonth: number, daysInMonth: number): boolean {
  if (ordinal === null) return true;
  return ordinal > 0
    ? Math.ceil(dayOfMonth / 7) === ordinal
    : Math.ceil((daysInMonth - dayOfMonth + 1) / 7) === -ordinal;
}

/** The month of a day, counted from year 0. */
function monthOf(day: DayNumber): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The first day of a month that is counted from year 0; no year is before 1970. */
function firstOf(month: number): DayNumber {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS;
}
