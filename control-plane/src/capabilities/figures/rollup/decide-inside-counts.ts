import { HOUR_MS } from '@watchpost/shared/time';
import type { Range } from './decide-bucket-plan.js';
import type { Span } from './span-codec.js';

/** Conclusive checks of one series. */
export interface OutcomeCounts {
  up: number;
  down: number;
}

export interface HourBucket extends OutcomeCounts {
  startMs: number;
  spans: readonly Span[];
}

/**
 * How many checks of an hour were scheduled in a part of it. Where the single results are gone, checks are distributed as the
 * time in which the series was up, and that in which it was down.
 * @param ranges in order, apart from each other
 */
export function decideInsideCounts({ startMs, spans, up, down }: HourBucket, ranges: readonly Range[]): OutcomeCounts {
  const hour = { startMs, endMs: startMs + HOUR_MS };
  const parts = ranges.map((range) => intersection(range, hour)).filter((part) => part.startMs < part.endMs);
  if (parts.length === 1 && parts[0]!.startMs === hour.startMs && parts[0]!.endMs === hour.endMs) return { up, down };
  const share = (isUp: boolean): number => {
    const own = spans.filter((span) => span.up === isUp).map((span) => intersection(span, hour));
    const whole = lengthOf(own);
    // A check that another one followed at once has no time of its own.
    if (whole === 0) return lengthOf(parts) / HOUR_MS;
    return lengthOf(own.flatMap((span) => parts.map((part) => intersection(span, part)))) / whole;
  };
  return { up: Math.round(up * share(true)), down: Math.round(down * share(false)) };
}

function intersection(a: Range, b: Range): Range {
  return { startMs: Math.max(a.startMs, b.startMs), endMs: Math.min(a.endMs, b.endMs) };
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { startMs, endMs }) => sum + Math.max(0, endMs - startMs), 0);
}
