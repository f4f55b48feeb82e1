import { decideExpectedBy, decideRunDeadline } from './decide-expected-by.js';
import type { HeartbeatFailure, HeartbeatSubject } from './heartbeat.js';

export interface HeartbeatDecision {
  verdict: 'available' | 'unavailable' | 'unknown';
  /** Since when it has been so at the earliest; null where that is not known. */
  sinceMs: number | null;
  failure: HeartbeatFailure | null;
  expectedByMs: number | null;
  /** When to decide again if no ping comes; null: never. */
  decideAtMs: number | null;
}

/** A deadline that has passed is looked at again so often until it is known that pings were received until then. */
const LOOK_AGAIN_MS = 5_000;

/**
 * The state of an enabled heartbeat. It is late, or a run too long, only where pings were received until that deadline for
 * certain. A failure lasts until the next success. After a pause or a lost ping the state is unknown until the next one.
 */
export function decideHeartbeat(subject: HeartbeatSubject, nowMs: number): HeartbeatDecision {
  const { state, settings, scheduleSinceMs, receivedUntilMs, outages } = subject;
  const { dueFromMs, countsFromMs, succeededMs } = state;
  if (dueFromMs === null)
    return { verdict: 'unknown', sinceMs: null, failure: null, expectedByMs: null, decideAtMs: null };
  const fromMs = Math.max(dueFromMs, countsFromMs, scheduleSinceMs);
  const { expectedByMs, mayBeLost } = decideExpectedBy(settings, fromMs, outages);
  const deadlines: HeartbeatFailure[] =
    expectedByMs === null ? [] : [{ kind: 'late', atMs: expectedByMs, lastSuccessMs: succeededMs }];
  for (const { rid, startedMs } of settings.maxRuntimeMs === null ? [] : state.runs) {
    const atMs = decideRunDeadline(startedMs, settings.maxRuntimeMs!, outages);
    // A success closes the overrun of any run: the end of one that was killed never comes.
    if (atMs !== null && atMs > (succeededMs ?? -Infinity))
      deadlines.push({ kind: 'overrun', atMs: Math.max(atMs, scheduleSinceMs), startedMs, rid });
  }
  const next = deadlines.toSorted((a, b) => a.atMs - b.atMs)[0];
  const failure = state.failure ?? (next && next.atMs <= receivedUntilMs ? next : null);
  if (failure) return { verdict: 'unavailable', sinceMs: failure.atMs, failure, expectedByMs, decideAtMs: null };
  const decideAtMs = next ? (next.atMs > nowMs ? next.atMs : nowMs + LOOK_AGAIN_MS) : null;
  const isAvailable = !mayBeLost && succeededMs !== null && (succeededMs >= countsFromMs || isStillFresh(subject));
  return {
    verdict: isAvailable ? 'available' : 'unknown',
    sinceMs: isAvailable ? succeededMs : null,
    failure,
    expectedByMs,
    decideAtMs,
  };
}

/** Whether the last report before a pause, or during it, was a success after which no other was due yet. */
function isStillFresh({ state, settings, receivedUntilMs, outages }: HeartbeatSubject): boolean {
  if (state.succeededMs === null || state.succeededMs !== state.dueFromMs) return false;
  const { expectedByMs, mayBeLost } = decideExpectedBy(settings, state.succeededMs, outages);
  return !mayBeLost && (expectedByMs === null || expectedByMs > receivedUntilMs);
}
