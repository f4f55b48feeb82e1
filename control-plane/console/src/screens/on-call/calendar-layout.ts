import { DAY_MS } from '@watchpost/shared/time';
import { addDays, addMonths, dayOf, mondayOf, weeksOf } from '../../data/days.js';

/** A day of a calendar, from one midnight to the next: 23 or 25 h where clocks change. */
export interface Day {
  /** `YYYY-MM-DD` */
  date: string;
  startMs: number;
  endMs: number;
}

export type CalendarView = 'week' | 'month' | 'agenda';
export const CALENDAR_VIEWS: readonly CalendarView[] = ['week', 'month', 'agenda'];
/** How many days the agenda shows. */
const AGENDA_DAYS = 14;

/** The date of a moment in a zone: `2026-11-22`. */
export function dateOf(ms: number, timeZone: string): string {
  const parts = clockOf(timeZone).formatToParts(ms);
  return ['year', 'month', 'day'].map((type) => parts.find((part) => part.type === type)!.value).join('-');
}

/** The first moment of a date in a zone; where clocks skip midnight, the moment after the skipped time. */
export function startOfDate(date: string, timeZone: string): number {
  const utcMs = Date.parse(`${date}T00:00Z`);
  const early = utcMs - offsetMs(utcMs - DAY_MS, timeZone);
  const exact = utcMs - offsetMs(early, timeZone);
  return dateOf(exact, timeZone) === date ? exact : Math.max(early, exact);
}

let latest: { timeZone: string; clock: Intl.DateTimeFormat } | undefined;

/** Formats by the second; the latest one is kept, because making one takes long. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  if (latest?.timeZone !== timeZone) {
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    latest = { timeZone, clock };
  }
  return latest.clock;
}

/** How far the clocks of a zone are ahead of UTC at a moment, ms. */
function offsetMs(ms: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(ms);
  const at = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const local = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
  return local - Math.floor(ms / 1_000) * 1_000;
}

/** Days one after the other. */
export function daysFrom(date: string, count: number, timeZone: string): Day[] {
  const starts = Array.from({ length: count + 1 }, (_, index) => startOfDate(addDays(date, index), timeZone));
  return starts
    .slice(0, -1)
    .map((startMs, index) => ({ date: addDays(date, index), startMs, endMs: starts[index + 1]! }));
}

/** The days that a view shows around a date, a strip for each week. */
export function stripsOf(view: CalendarView, date: string, timeZone: string): Day[][] {
  if (view === 'agenda') return [daysFrom(date, AGENDA_DAYS, timeZone)];
  if (view === 'week') return [daysFrom(mondayOf(date), 7, timeZone)];
  return weeksOf(date).map(([monday]) => daysFrom(monday!, 7, timeZone));
}

/** The date that the view before or after shows. */
export function turnPage(view: CalendarView, date: string, by: 1 | -1): string {
  if (view === 'month') return addMonths(date, by);
  return addDays(date, by * (view === 'week' ? 7 : AGENDA_DAYS));
}

/** Where a moment is on a strip whose days are equally wide, from 0 to 1; within its day by the length of that day. */
export function positionOf(ms: number, days: readonly Day[]): number {
  const index = days.findIndex(({ endMs }) => ms < endMs);
  if (index < 0) return 1;
  const { startMs, endMs } = days[index]!;
  return (index + Math.max(0, ms - startMs) / (endMs - startMs)) / days.length;
}

/** The moment at a position of a strip, at a whole step since midnight; the inverse of `positionOf`. */
export function momentAt(position: number, days: readonly Day[], stepMs: number): number {
  const at = Math.min(Math.max(position, 0), 1) * days.length;
  const { startMs, endMs } = days[Math.min(Math.floor(at), days.length - 1)]!;
  const within = (at - Math.min(Math.floor(at), days.length - 1)) * (endMs - startMs);
  return Math.min(endMs, startMs + Math.round(within / stepMs) * stepMs);
}

/** What of a time is on a strip; undefined if nothing is. */
export function placeOn(
  { startMs, endMs }: { startMs: number; endMs: number },
  days: readonly Day[],
): { from: number; to: number; beginsBefore: boolean; endsAfter: boolean } | undefined {
  const [first, last] = [days[0]!.startMs, days.at(-1)!.endMs];
  if (endMs <= first || startMs >= last) return undefined;
  const from = positionOf(Math.max(startMs, first), days);
  const to = endMs >= last ? 1 : positionOf(endMs, days);
  return { from, to, beginsBefore: startMs < first, endsAfter: endMs > last };
}

/** The least width of a shift on a strip that is as narrow as it gets: 24 of 608 px (WCAG 2.2, 2.5.8). */
export const LEAST_WIDTH = 24 / 608;

/**
 * Puts what would lie over each other, because short shifts are drawn wider than they are, into rows below each other.
 * @param places on one strip, in the order of time
 * @returns the row of each, from 0
 */
export function rowsOf(places: readonly { from: number; to: number }[]): number[] {
  const ends: number[] = [];
  return places.map(({ from, to }) => {
    const left = Math.min(from, 1 - LEAST_WIDTH);
    const free = ends.findIndex((end) => end <= left + 1e-9);
    const row = free < 0 ? ends.length : free;
    ends[row] = Math.max(to, left + LEAST_WIDTH);
    return row;
  });
}

export interface CalendarQuery {
  view: CalendarView;
  /** `YYYY-MM-DD`; today, unless the address has one. */
  date: string;
  /** '' shows all teams. */
  teamId: string;
}

/** Reads the address of the calendar. */
export function readCalendarQuery(
  address: URLSearchParams,
  defaults: { view: CalendarView; today: string },
): CalendarQuery {
  const date = address.get('date') ?? '';
  const isDate = dayOf(date) !== '' && date >= '1970-01-08' && date <= '2200-01-01';
  return {
    view: CALENDAR_VIEWS.find((each) => each === address.get('view')) ?? defaults.view,
    date: isDate ? date : defaults.today,
    teamId: address.get('team') ?? '',
  };
}
