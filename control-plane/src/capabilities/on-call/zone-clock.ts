import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { DAY_MS } from '@watchpost/shared/time';
import { Temporal } from 'temporal-polyfill';

/** A part of a year in which a zone has one offset from UTC. */
interface Stretch {
  /** Exclusive, ms since the epoch. */
  endMs: number;
  offsetMs: number;
}

/**
 * Converts between moments and the local times of a zone. A local time is the ms that its date and time would have in UTC,
 * so that calendar arithmetic is arithmetic on numbers.
 */
export interface ZoneClock {
  localAt(atMs: number): number;
  /**
   * A local time that does not exist (clocks go forward) is as much later as the clocks skip; one that comes twice (clocks
   * go back) is the first: Temporal's `compatible` disambiguation, RFC 5545 §3.3.5.
   */
  momentOf(localMs: number): number;
}

/** More than any offset, and than a day that a zone skips. */
const MARGIN_MS = 3 * DAY_MS;
/** By zone and year: Temporal is slow, and a year of hourly shifts asks for thousands of moments. */
const years = new BoundedCache<string, readonly Stretch[]>(2_000);

/** @param timezone IANA name */
export function zoneClock(timezone: string): ZoneClock {
  /** The year that was asked for last. */
  let [fromMs, toMs, stretches]: [number, number, readonly Stretch[]] = [0, 0, []];
  function around(ms: number): readonly Stretch[] {
    if (ms >= fromMs && ms < toMs) return stretches;
    const year = new Date(ms).getUTCFullYear();
    [fromMs, toMs, stretches] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1), stretchesOf(timezone, year)];
    return stretches;
  }
  return {
    localAt: (atMs) => atMs + around(atMs).find(({ endMs }) => atMs < endMs)!.offsetMs,
    momentOf(localMs) {
      const all = around(localMs);
      const index = all.findIndex(
        ({ endMs, offsetMs }, at) => localMs < endMs + Math.max(offsetMs, all[at + 1]?.offsetMs ?? offsetMs),
      );
      return localMs - all[index]!.offsetMs;
    },
  };
}

function stretchesOf(timezone: string, year: number): readonly Stretch[] {
  const key = `${timezone} ${year}`;
  const found = years.get(key);
  if (found) return found;
  const endMs = Date.UTC(year + 1, 0, 1) + MARGIN_MS;
  const stretches: Stretch[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(Date.UTC(year, 0, 1) - MARGIN_MS).toZonedDateTimeISO(timezone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    const offsetMs = at.offsetNanoseconds / 1e6;
    if (!next || next.epochMilliseconds >= endMs) {
      stretches.push({ endMs: Infinity, offsetMs });
      break;
    }
    stretches.push({ endMs: next.epochMilliseconds, offsetMs });
    at = next;
  }
  years.set(key, stretches);
  return stretches;
}
