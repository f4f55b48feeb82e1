/** What a process repeats begins at the same moments, so many ms apart. */
const BEAT_MS = 1_000;

/**
 * How long to wait, ms, so that about `everyMs` later a beat of this process begins: up to half a second less or more.
 * Work that is done at one time finds its code and data in the caches of the processor, and wakes the process once. The
 * beats of two processes differ, as they follow the start of each.
 */
export function untilBeat(everyMs: number, nowMs = performance.now()): number {
  return everyMs < BEAT_MS ? everyMs : Math.ceil(Math.round((nowMs + everyMs) / BEAT_MS) * BEAT_MS - nowMs);
}
