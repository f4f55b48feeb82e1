import type { State } from './states.js';

interface Span {
  startMs: number;
  endMs: number;
  status: State;
}

/** A day of a calendar: its bounds and how long it was in each state, ms. Time that no span covers is in none. */
export interface CalendarDay {
  startMs: number;
  endMs: number;
  lengths: Readonly<Partial<Record<State, number>>>;
  /** Column and row: weeks from the left, days of the week from Monday down. */
  week: number;
  weekday: number;
}

/** The days of a period by the clock of this machine, each with how long it was in which state. */
export function calendarDays(spans: readonly Span[], startMs: number, endMs: number): CalendarDay[] {
  const days: CalendarDay[] = [];
  const day = new Date(startMs);
  day.setHours(0, 0, 0, 0);
  const first = (day.getDay() + 6) % 7;
  let next = 0;
  while (day.getTime() < endMs) {
    const from = Math.max(day.getTime(), startMs);
    // The clock skips an hour, or has one twice, on some of them.
    day.setDate(day.getDate() + 1);
    const to = Math.min(day.getTime(), endMs);
    const lengths: Partial<Record<State, number>> = {};
    for (let at = next; at < spans.length && spans[at]!.startMs < to; at++) {
      const { status, ...span } = spans[at]!;
      if (span.endMs <= to) next = at + 1;
      const ms = Math.min(span.endMs, to) - Math.max(span.startMs, from);
      if (ms > 0) lengths[status] = (lengths[status] ?? 0) + ms;
    }
    const place = first + days.length;
    days.push({ startMs: from, endMs: to, lengths, week: Math.floor(place / 7), weekday: place % 7 });
  }
  return days;
}

const WORST_FIRST = ['unavailable', 'partial', 'available', 'maintenance', 'unknown', 'paused'] as const;

/** Names how a day is shown: by the worst that was measured in it; undefined where there is nothing. */
export function stateOfDay({ lengths }: Pick<CalendarDay, 'lengths'>): State | undefined {
  return WORST_FIRST.find((state) => (lengths[state] ?? 0) > 0);
}
