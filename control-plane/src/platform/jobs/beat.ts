/** What a process repeats begins at the same moments, so many ms apart. */
const BEAT_MS = 1_000;

/** A beat that is so much earlier than asked for will do: work that took so long is done at the beats that it is meant for. */
const EARLY_MS = 250;

/**
 * How long to wait, ms, until the beat of this process that begins in about `everyMs`: up to a quarter of a second less, or
 * three quarters more. Work that is done at one time finds its code and data in the caches of the processor, and wakes the
 * process once. The beats of two processes differ, as they follow the start of each.
 */
export function untilBeat(everyMs: number, nowMs = performance.now()): number {
  return everyMs < BEAT_MS ? everyMs : Math.ceil(Math.ceil((nowMs + everyMs - EARLY_MS) / BEAT_MS) * BEAT_MS - nowMs);
}
