import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { Cron, type CronOptions } from 'croner';
import { Temporal } from 'temporal-polyfill';

/** When a heartbeat is due: a time after the former one, or by a cron expression in a time zone. Exactly one of them is set. */
export interface HeartbeatRhythm {
  everyMs: number | null;
  /** Five fields. */
  cron: string | null;
  /** IANA; null with `everyMs`. */
  timezone: string | null;
}

const FIVE_FIELDS = /^\S+(?:\s+\S+){4}$/;
/** A parsed expression has a list of 10,000 years: 80 KB. */
const KEPT = 250;
/** Parsed expressions: parsing costs as much as two searches. */
const parsed = new BoundedCache<string, Cron>(KEPT);
const KEPT_FAULTS = 10_000;
/** By expression; '' for those without a fault. */
const faults = new BoundedCache<string, string>(KEPT_FAULTS);

/**
 * The next due time after a moment, ms since the epoch.
 * @returns null where the expression never matches again
 */
export function nextDueMs({ everyMs, cron, timezone }: HeartbeatRhythm, afterMs: number): number | null {
  return cron === null ? afterMs + everyMs! : nextOfCron(cron, timezone ?? 'UTC', afterMs);
}

/**
 * The next due time by cron, as cronie runs its jobs. One with a star in its minute or hour follows the clock of the zone: it
 * runs again in an hour that the clock repeats, and not in one that the clock skips. Any other has fixed times: each is due
 * when the clock first shows or passes it, so that one that is skipped is due at once, and one that is repeated is due once.
 */
function nextOfCron(cron: string, timezone: string, afterMs: number): number | null {
  if (cronFault(cron) !== null) return null;
  const hasFixedTimes = !cron.split(/\s+/, 2).some(isStar);
  const nextMatch = (localMs: number) => parse(cron).nextRun(new Date(localMs))?.getTime() ?? null;
  let at = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(timezone);
  /** The clock of the zone, as ms since the epoch in UTC, up to which no match counts any more. */
  let passedMs = localOf(at);
  const change = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  if (hasFixedTimes && change !== null) passedMs = Math.max(passedMs, lastShownBefore(change));
  let matchMs = nextMatch(passedMs);
  while (matchMs !== null) {
    const dueMs = Math.max(at.epochMilliseconds, matchMs - offsetOf(at));
    const next = at.getTimeZoneTransition('next');
    if (next === null || dueMs < next.epochMilliseconds) return dueMs;
    at = next;
    const formerMs = passedMs;
    passedMs = hasFixedTimes ? lastShownBefore(at) : localOf(at) - 1;
    if (passedMs < formerMs || passedMs >= matchMs) matchMs = nextMatch(passedMs);
  }
  return null;
}

const isStar = (field: string): boolean => /^[*?]/.test(field);
const offsetOf = (at: Temporal.ZonedDateTime): number => at.offsetNanoseconds / 1e6;
const localOf = (at: Temporal.ZonedDateTime): number => at.epochMilliseconds + offsetOf(at);
/** The last that the clock showed before its change. */
const lastShownBefore = (change: Temporal.ZonedDateTime): number => localOf(change.subtract({ milliseconds: 1 }));

/** The fault of a cron expression, as the end of a sentence, or null. */
export function cronFault(cron: string): string | null {
  let fault = faults.get(cron);
  if (fault === undefined) {
    fault = findCronFault(cron) ?? '';
    faults.set(cron, fault);
  }
  return fault === '' ? null : fault;
}

function findCronFault(cron: string): string | null {
  if (!FIVE_FIELDS.test(cron))
    return 'must have five fields: minute, hour, day of the month, month and day of the week';
  try {
    // Within 28 years each date of the calendar comes on each day of the week. The search would go on for 400 years otherwise.
    const search = new Cron(`0 ${cron} 2000-2027`, { ...optionsOf(cron), mode: '7-part' });
    if (search.nextRun(new Date('1999-12-31T23:59:59Z')) !== null) return null;
    return 'must match a date: no date has this day and month';
  } catch {
    return 'must be a cron expression such as `30 2 * * 1-5`';
  }
}

/** The expression without a zone: its matches are times on a clock that never changes. */
function parse(cron: string): Cron {
  let known = parsed.get(cron);
  if (!known) {
    known = new Cron(cron, { ...optionsOf(cron), mode: '5-part' });
    parsed.set(cron, known);
  }
  return known;
}

/** A day matches where its date or its weekday does, and where both do if either field is a star. */
function optionsOf(cron: string): CronOptions {
  const [, , day, , weekday] = cron.split(/\s+/) as [string, string, string, string, string];
  return { timezone: 'UTC', paused: true, domAndDow: isStar(day) || isStar(weekday) };
}
