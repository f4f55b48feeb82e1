import { type HeartbeatSettings, nextDueMs } from '../monitors/index.js';

/** A time in which no process could receive pings; half-open, ms since the epoch. */
export interface ReceptionOutage {
  startedMs: number;
  endedMs: number;
}

export interface Expectation {
  /** Without a success until then the heartbeat is late; null where none is due any more. */
  expectedByMs: number | null;
  /** A ping may have been lost in an outage: until the next one the state is unknown. */
  mayBeLost: boolean;
}

/**
 * Outages from this length on may have lost a ping for good. Clients ride out shorter ones with their retries, as those of our
 * snippets do.
 */
const LOSES_PINGS_MS = 60_000;

/**
 * By when a heartbeat is expected: its next due time and the grace. Each outage of the reception since then extends it by the
 * time in which nothing could be received. A long one that covers a part of the time in which the ping was likely may have lost
 * it: then the deadline counts anew from its end, so that the next ping is not late either.
 * @param fromMs the ping, or the change of the schedule, after which the next due time is counted
 * @param outages by time
 */
export function decideExpectedBy(
  settings: HeartbeatSettings,
  fromMs: number,
  outages: readonly ReceptionOutage[],
): Expectation {
  let countedMs = fromMs;
  let dueMs = nextDueMs(settings, countedMs);
  let mayBeLost = false;
  if (dueMs === null) return { expectedByMs: null, mayBeLost };
  let expectedByMs = dueMs + settings.graceMs;
  for (const { startedMs, endedMs } of outages) {
    const lostMs = endedMs - Math.max(startedMs, countedMs);
    if (lostMs <= 0 || startedMs >= expectedByMs) continue;
    expectedByMs += lostMs;
    if (endedMs - startedMs < LOSES_PINGS_MS || endedMs <= dueMs - settings.graceMs) continue;
    mayBeLost = true;
    countedMs = endedMs;
    dueMs = nextDueMs(settings, countedMs);
    if (dueMs === null) return { expectedByMs: null, mayBeLost };
    expectedByMs = Math.max(expectedByMs, dueMs + settings.graceMs);
  }
  return { expectedByMs, mayBeLost };
}

/**
 * When a run has taken longer than `maxRuntimeMs`.
 * @returns null where a long outage may have lost its end
 */
export function decideRunDeadline(
  startedMs: number,
  maxRuntimeMs: number,
  outages: readonly ReceptionOutage[],
): number | null {
  let deadlineMs = startedMs + maxRuntimeMs;
  for (const outage of outages) {
    const lostMs = outage.endedMs - Math.max(outage.startedMs, startedMs);
    if (lostMs <= 0 || outage.startedMs >= deadlineMs) continue;
    if (outage.endedMs - outage.startedMs >= LOSES_PINGS_MS) return null;
    deadlineMs += lostMs;
  }
  return deadlineMs;
}
