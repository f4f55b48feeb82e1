import type { ReceptionOutage } from './decide-expected-by.js';

/** Half-open, ms since the epoch. */
export interface HeartbeatSpan {
  startMs: number;
  endMs: number;
  up: boolean;
}

export interface DatedVerdict {
  atMs: number;
  verdict: 'available' | 'unavailable' | 'unknown';
}

/**
 * The time in which a heartbeat was available or unavailable; the rest is unknown. So are outages of the reception, in which
 * nothing was known, and what follows the deadline of the last success: a sweep that does not run must not look healthy.
 * @param changes by time, the first one may be before the period
 */
export function decideHeartbeatSpans(
  changes: readonly DatedVerdict[],
  { startMs, endMs, expectedByMs }: { startMs: number; endMs: number; expectedByMs: number | null },
  outages: readonly ReceptionOutage[],
): HeartbeatSpan[] {
  return changes.flatMap(({ atMs, verdict }, index) => {
    if (verdict === 'unknown') return [];
    const up = verdict === 'available';
    const nextMs = changes[index + 1]?.atMs ?? (up ? (expectedByMs ?? endMs) : endMs);
    const whole = { startMs: Math.max(atMs, startMs), endMs: Math.min(nextMs, endMs), up };
    return outages.reduce((parts, outage) => parts.flatMap((part) => without(part, outage)), [whole].filter(isTime));
  });
}

const isTime = ({ startMs, endMs }: HeartbeatSpan): boolean => startMs < endMs;

function without(span: HeartbeatSpan, { startedMs, endedMs }: ReceptionOutage): HeartbeatSpan[] {
  return [
    { ...span, endMs: Math.min(span.endMs, startedMs) },
    { ...span, startMs: Math.max(span.startMs, endedMs) },
  ].filter(isTime);
}
