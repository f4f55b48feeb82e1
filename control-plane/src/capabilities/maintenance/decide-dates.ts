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
 * with COUNT, and after ten years.
 * @param startDay the date of the window, with which weeks, months and COUNT begin
 */
export function* decideDates(rule: Recurrence | null, startDay: DayNumber, fromDay: DayNumber): Generator<RuleDate> {
  if (rule === null) {
    if (startDay >= fromDay) yield { day: startDay, number: 1 };
    return;
  }
  const matches = matcherOf(rule, startDay);
  // Without COUNT nothing depends on the dates before.
  const firstDay = rule.count === null ? Math.max(startDay, fromDay) : startDay;
  let number = 0;
  for (let day = firstDay; day < Math.max(startDay, fromDay) + SEARCHED_DAYS; day++) {
    if (!matches(day)) continue;
    if (rule.count !== null && ++number > rule.count) return;
    if (day >= fromDay) yield { day, number };
  }
}

function matcherOf(rule: Recurrence, startDay: DayNumber): (day: DayNumber) => boolean {
  const { frequency, interval, byDay, byMonthDay } = rule;
  const start = calendarOf(startDay);
  const isNamed = (day: DayNumber): boolean => {
    if (byDay.length + byMonthDay.length === 0) {
      if (frequency === 'DAILY') return true;
      return frequency === 'WEEKLY'
        ? weekdayOf(day) === weekdayOf(startDay)
        : calendarOf(day).dayOfMonth === start.dayOfMonth;
    }
    if (byDay.length > 0 && !byDay.some(({ weekday, ordinal }) => weekday === weekdayOf(day) && isNth(day, ordinal)))
      return false;
    if (byMonthDay.length === 0) return true;
    const { dayOfMonth, daysInMonth } = calendarOf(day);
    return byMonthDay.some((wanted) => (wanted > 0 ? wanted : daysInMonth + 1 + wanted) === dayOfMonth);
  };
  const periodOf = (day: DayNumber): number => {
    if (frequency === 'DAILY') return day;
    return frequency === 'WEEKLY' ? Math.floor((day - weekdayOf(day)) / 7) : calendarOf(day).month;
  };
  const startPeriod = periodOf(startDay);
  return (day) => (periodOf(day) - startPeriod) % interval === 0 && isNamed(day);
}

/** 0 is Monday: 1970-01-01 was a Thursday. */
function weekdayOf(day: DayNumber): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Whether it is the nth of its weekday in the month, from the end where `ordinal` is negative. */
function isNth(day: DayNumber, ordinal: number | null): boolean {
  if (ordinal === null) return true;
  const { dayOfMonth, daysInMonth } = calendarOf(day);
  return ordinal > 0
    ? Math.ceil(dayOfMonth / 7) === ordinal
    : Math.ceil((daysInMonth - dayOfMonth + 1) / 7) === -ordinal;
}

/** @returns `month` counted from year 0 */
function calendarOf(day: DayNumber): { month: number; dayOfMonth: number; daysInMonth: number } {
  const date = new Date(day * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    month: year * 12 + month,
    dayOfMonth: date.getUTCDate(),
    daysInMonth: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
  };
}
