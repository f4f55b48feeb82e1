import { DAY_MS } from '@watchpost/shared/time';

/** @returns the text if it is a day such as `2026-11-22`, else '' */
export function dayOf(text: string | null): string {
  const ms = text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  // Some browsers take 30 February as 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text!) ? text! : '';
}

/**
 * @param later how many days after `day`
 * @returns when the day begins in the viewer's zone, where a day may have 23 or 25 hours, in ISO 8601; '' for what is no day
 */
export function startOfDay(day: string, later = 0): string {
  if (dayOf(day) === '') return '';
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(year, month - 1, date + later).toISOString();
}

/** Calendar days later, or earlier. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The first of a month that is `months` later. */
export function addMonths(date: string, months: number): string {
  const [year, month] = date.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

/** The Monday of the week of a date. */
export function mondayOf(date: string): string {
  const weekday = new Date(`${date}T00:00Z`).getUTCDay();
  return addDays(date, -((weekday + 6) % 7));
}

/** The same day of a month that is `months` later; its last day, where it has fewer. */
export function sameDayOf(date: string, months: number): string {
  const last = addDays(addMonths(date, months + 1), -1);
  const same = `${last.slice(0, 8)}${date.slice(8)}`;
  return same < last ? same : last;
}

/** The weeks of a month, from Monday to Sunday, with the days around it. */
export function weeksOf(day: string): string[][] {
  const [first, next] = [mondayOf(addMonths(day, 0)), addMonths(day, 1)];
  const weeks: string[][] = [];
  for (let monday = first; monday < next; monday = addDays(monday, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(monday, index)));
  }
  return weeks;
}
