import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { Cron } from 'croner';

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
 * The next due time after a moment, ms since the epoch. A local time that daylight saving skips is due at the end of the
 * gap, and one that occurs twice is due the first time; expressions with wildcards follow elapsed time.
 * @returns null where the expression never matches again
 */
export function nextDueMs({ everyMs, cron, timezone }: HeartbeatRhythm, afterMs: number): number | null {
  if (cron === null) return afterMs + everyMs!;
  return (
    parse(cron, timezone ?? 'UTC')
      .nextRun(new Date(afterMs))
      ?.getTime() ?? null
  );
}

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
    const search = new Cron(`0 ${cron} 2000-2027`, { timezone: 'UTC', mode: '7-part', paused: true });
    if (search.nextRun(new Date('1999-12-31T23:59:59Z')) !== null) return null;
    return 'must match a date: no date has this day and month';
  } catch {
    return 'must be a cron expression such as `30 2 * * 1-5`';
  }
}

function parse(cron: string, timezone: string): Cron {
  const key = `${timezone} ${cron}`;
  let known = parsed.get(key);
  if (!known) {
    known = new Cron(cron, { timezone, mode: '5-part', paused: true });
    parsed.set(key, known);
  }
  return known;
}
