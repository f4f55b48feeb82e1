import { type SlotState, STATE_LETTERS } from '@watchpost/shared/design/bar';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { TimelineWindow } from '../plans/index.js';
import { decideUptime, type TimelineSpan, type TimelineStatus } from '../figures/index.js';

/** The length of each window and its sample length. A sample never lies in two days. */
export const WINDOWS: Readonly<Record<TimelineWindow, { lengthMs: number; sampleMs: number }>> = {
  '24h': { lengthMs: DAY_MS, sampleMs: 15 * MINUTE_MS },
  '7d': { lengthMs: 7 * DAY_MS, sampleMs: 2 * HOUR_MS },
  '30d': { lengthMs: 30 * DAY_MS, sampleMs: 6 * HOUR_MS },
};

/** Checks that were due in an interval that lies within one sample of each window. */
export interface Count {
  startMs: number;
  healthy: number;
  unhealthy: number;
}

export interface DecidedWindow {
  startMs: number;
  sampleMs: number;
  /** Over all checks; null without checks. */
  uptimePercentage: number | null;
  samples: { startMs: number; status: TimelineStatus; uptimePercentage: number | null }[];
  perDay: { date: string; uptimePercentage: number | null }[];
}

/** The start of a window. Samples begin at whole multiples of their length; the last one is not complete. */
export function windowStart(window: TimelineWindow, nowMs: number): number {
  const { lengthMs, sampleMs } = WINDOWS[window];
  return Math.ceil(nowMs / sampleMs) * sampleMs - lengthMs;
}

/**
 * The samples of a window and its uptime by UTC day.
 * @param timeline the states until now, for samples without checks
 */
export function decideWindow(
  window: TimelineWindow,
  nowMs: number,
  counts: readonly Count[],
  timeline: readonly TimelineSpan[],
): DecidedWindow {
  const { lengthMs, sampleMs } = WINDOWS[window];
  const startMs = windowStart(window, nowMs);
  const inside = counts.filter((count) => count.startMs >= startMs && count.startMs <= nowMs);
  const bySample = sumBy(inside, (count) => Math.floor((count.startMs - startMs) / sampleMs));
  const byDay = sumBy(inside, (count) => Math.floor(count.startMs / DAY_MS));
  const days = range(Math.floor(startMs / DAY_MS), Math.floor(nowMs / DAY_MS));
  return {
    startMs,
    sampleMs,
    uptimePercentage: uptimeOf(inside),
    samples: range(0, lengthMs / sampleMs - 1).map((index) => {
      const sum = bySample.get(index);
      const from = startMs + index * sampleMs;
      return {
        startMs: from,
        status: sum ? statusOf(sum) : statusAt(timeline, from, from + sampleMs),
        uptimePercentage: sum ? decideUptime(sum.healthy, sum.unhealthy) : null,
      };
    }),
    perDay: days.map((day) => {
      const sum = byDay.get(day);
      const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
      return { date, uptimePercentage: sum ? decideUptime(sum.healthy, sum.unhealthy) : null };
    }),
  };
}

/** A system shows so many UTC days, today included. */
export const DAYS = 90;

export interface DecidedDays {
  startMs: number;
  /** A letter a day, the oldest first. */
  states: string;
  /** Over all checks of these days; null without checks. */
  uptimePercentage: number | null;
}

/**
 * The last days of a system, each as what its checks found. A day without checks is unknown, unless all of it was maintenance.
 * @param daily the counts of all its monitors
 * @param isMaintenance whether a day before today was maintenance of all of them, from its beginning to its end
 * @param timeline the states of today
 * @param watchedMs since when it is watched, ms: earlier days without checks have no state; null: without monitors
 */
export function decideDays(
  nowMs: number,
  daily: readonly Count[],
  isMaintenance: (day: number) => boolean,
  timeline: readonly TimelineSpan[],
  watchedMs: number | null,
): DecidedDays {
  const today = Math.floor(nowMs / DAY_MS);
  const first = today - DAYS + 1;
  const inside = daily.filter(({ startMs }) => startMs >= first * DAY_MS && startMs <= nowMs);
  const byDay = sumBy(inside, ({ startMs }) => Math.floor(startMs / DAY_MS));
  const watched = Math.min(Math.floor((watchedMs ?? Infinity) / DAY_MS), ...byDay.keys());
  const stateOf = (day: number): SlotState => {
    const sum = byDay.get(day);
    if (sum) return statusOf(sum);
    if (day < watched) return 'none';
    const isCovered =
      day === today
        ? timeline.every(({ endMs, status }) => endMs <= today * DAY_MS || status === 'maintenance')
        : isMaintenance(day);
    return isCovered ? 'maintenance' : 'unknown';
  };
  return {
    startMs: first * DAY_MS,
    states: range(first, today)
      .map((day) => STATE_LETTERS[stateOf(day)])
      .join(''),
    uptimePercentage: uptimeOf(inside),
  };
}

/** Merges the counts of several monitors. */
export function sumCounts(counts: readonly (readonly Count[])[]): readonly Count[] {
  if (counts.length === 1) return counts[0]!;
  const sums = new Map<number, Count>();
  for (const own of counts) {
    for (const { startMs, healthy, unhealthy } of own) {
      const sum = sums.get(startMs);
      if (sum) {
        sum.healthy += healthy;
        sum.unhealthy += unhealthy;
      } else sums.set(startMs, { startMs, healthy, unhealthy });
    }
  }
  return [...sums.values()];
}

function uptimeOf(counts: readonly Count[]): number | null {
  const sum = sumBy(counts, () => 0).get(0);
  return sum ? decideUptime(sum.healthy, sum.unhealthy) : null;
}

interface Sum {
  healthy: number;
  unhealthy: number;
}

function sumBy(counts: readonly Count[], keyOf: (count: Count) => number): Map<number, Sum> {
  const sums = new Map<number, Sum>();
  for (const count of counts) {
    const key = keyOf(count);
    const sum = sums.get(key) ?? { healthy: 0, unhealthy: 0 };
    sum.healthy += count.healthy;
    sum.unhealthy += count.unhealthy;
    sums.set(key, sum);
  }
  return sums;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function statusOf({ healthy, unhealthy }: Sum): TimelineStatus {
  if (unhealthy === 0) return 'available';
  return healthy === 0 ? 'unavailable' : 'partial';
}

const BY_WEIGHT: readonly TimelineStatus[] = ['unknown', 'maintenance', 'available', 'partial', 'unavailable'];

/** The worst state in an interval; `unknown` only where there is none. */
function statusAt(timeline: readonly TimelineSpan[], startMs: number, endMs: number): TimelineStatus {
  const states = timeline.filter((span) => span.startMs < endMs && span.endMs > startMs).map(({ status }) => status);
  return BY_WEIGHT.findLast((status) => states.includes(status)) ?? 'unknown';
}
