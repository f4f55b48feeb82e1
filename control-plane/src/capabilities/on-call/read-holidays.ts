import { createRequire } from 'node:module';
import type * as Package from 'rrule';
import { DAY_MS } from '@watchpost/shared/time';
import { MAX_HOLIDAYS } from './decide-rotation.js';

// Its CommonJS has no names that an import finds.
const { RRule } = createRequire(import.meta.url)('rrule') as typeof Package;

/** The days of a calendar, or what is wrong with it, as the end of a sentence. */
export type HolidaysRead = { days: string[]; fault?: never } | { days?: never; fault: string };

/** A calendar has at most so many events; public ones have some hundred. */
const MOST_EVENTS = 5_000;
/** Components within others: events have alarms in them. */
const MOST_DEPTH = 10;
/** A period that is shorter is not one of days (RFC 5545, section 3.3.10). */
const OF_DAYS = /(?:^|;)FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)(?:;|$)/i;

/** Matches a rule that never ends, or repeats nothing (RFC 5545, section 3.3.10: a positive number). */
const NO_INTERVAL = /(?:^|;)INTERVAL=(?!0*[1-9]\d*(?:;|$))/i;
/** Parts that do not count where an event has no time of day (RFC 5545, section 3.3.10). */
const NO_TIMES = { byhour: null, byminute: null, bysecond: null };

/** The values of an event by the names of their properties, without parameters. */
type Event = Map<string, string[]>;

/**
 * Reads the days of all events of a calendar that have no time of day (RFC 5545, section 3.6.1: DTSTART is a DATE). They are
 * dates in whatever zone the reader is. Events that are cancelled do not count; events that are repeated are expanded, which
 * may take long.
 * @param from the first day that counts
 * @param to the last one
 * @returns the days in order, at most 400
 */
export function readHolidays(text: string, from: string, to: string): HolidaysRead {
  const events = eventsOf(text);
  if (!events) return { fault: 'is no calendar in the format iCalendar (RFC 5545)' };
  if (events.length > MOST_EVENTS) return { fault: `has more than ${MOST_EVENTS} events` };
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const placeOf = (event: Event, dayMs: number) => `${first(event, 'UID') ?? ''} ${dayMs}`;
  // Exceptions are events of their own, in place of the occurrence that they name.
  const replaced = new Set(events.flatMap((event) => datesOf(event, 'RECURRENCE-ID').map((ms) => placeOf(event, ms))));
  const days = new Set<string>();
  for (const event of events) {
    const [startMs] = datesOf(event, 'DTSTART');
    if (startMs === undefined || first(event, 'STATUS')?.toUpperCase() === 'CANCELLED') continue;
    const lengthMs = lengthOf(event, startMs);
    const rule = first(event, 'RRULE');
    let starts = [startMs];
    if (rule !== undefined) {
      const repeated = occurrences(rule, startMs, fromMs - lengthMs, toMs);
      if (!repeated)
        return { fault: `has an event that is repeated by a rule that cannot be read: ${rule.slice(0, 100)}` };
      starts = repeated;
    }
    const without = new Set(datesOf(event, 'EXDATE'));
    const isException = event.has('RECURRENCE-ID');
    starts = [...starts, ...datesOf(event, 'RDATE')].filter(
      (ms) => !without.has(ms) && (isException || !replaced.has(placeOf(event, ms))),
    );
    for (const ms of starts)
      for (let dayMs = Math.max(ms, fromMs); dayMs < Math.min(ms + lengthMs, toMs + DAY_MS); dayMs += DAY_MS)
        days.add(new Date(dayMs).toISOString().slice(0, 10));
    if (days.size > MAX_HOLIDAYS) return { fault: `has more than ${MAX_HOLIDAYS} holidays from ${from} to ${to}` };
  }
  return { days: [...days].toSorted() };
}

/** @returns null for what is no calendar (RFC 5545, sections 3.1 and 3.6) */
function eventsOf(text: string): Event[] | null {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  const within: string[] = [];
  const events: Event[] = [];
  for (const line of lines) {
    const [, name = '', value] = /^([\w-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/s.exec(line) ?? [];
    const property = name.toUpperCase();
    if (value === undefined || (within.length === 0 && line.toUpperCase() !== 'BEGIN:VCALENDAR')) return null;
    const component = value.toUpperCase();
    if (property === 'BEGIN') {
      if (within.push(component) > MOST_DEPTH) return null;
      if (component === 'VEVENT') events.push(new Map());
    } else if (property === 'END') {
      if (within.pop() !== component) return null;
    } else if (within.at(-1) === 'VEVENT') {
      const event = events.at(-1)!;
      if (!event.get(property)?.push(value)) event.set(property, [value]);
    }
  }
  return lines.length > 0 && within.length === 0 ? events : null;
}

function first(event: Event, property: string): string | undefined {
  return event.get(property)?.[0]?.trim();
}

/** The values of a property that are dates, at midnight in UTC. Those with a time of day are left out. */
function datesOf(event: Event, property: string): number[] {
  return (event.get(property) ?? []).flatMap((values) =>
    values.split(',').flatMap((value) => {
      const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(value.trim()) ?? [];
      const ms = Date.parse(`${year}-${month}-${day}`);
      return Number.isNaN(ms) ? [] : [ms];
    }),
  );
}

/** At least a day. */
function lengthOf(event: Event, startMs: number): number {
  const [, count = '1', unit] = /^\+?P(\d{1,4})([DW])$/i.exec(first(event, 'DURATION') ?? '') ?? [];
  const [endMs = startMs + Number(count) * (unit?.toUpperCase() === 'W' ? 7 : 1) * DAY_MS] = datesOf(event, 'DTEND');
  return Math.max(DAY_MS, endMs - startMs);
}

/** @returns null for a rule that cannot be read */
function occurrences(rule: string, startMs: number, fromMs: number, toMs: number): number[] | null {
  if (!OF_DAYS.test(rule) || NO_INTERVAL.test(rule)) return null;
  try {
    const dates = new RRule({ ...RRule.parseString(rule), ...NO_TIMES, dtstart: new Date(startMs) });
    return dates.between(new Date(fromMs), new Date(toMs), true).map((date) => date.getTime());
  } catch {
    return null;
  }
}
