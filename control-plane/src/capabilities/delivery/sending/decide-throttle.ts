import type { Throttle } from '../../channels/index.js';

/**
 * Decides when the next message may be sent.
 * @param sentMs the times of the messages in the last window, in any order
 * @returns ms since the epoch; null: now
 */
export function decideThrottle(sentMs: readonly number[], nowMs: number, { most, windowMs }: Throttle): number | null {
  const recent = sentMs.filter((ms) => ms > nowMs - windowMs).toSorted((a, b) => b - a);
  const earliest = recent[most - 1];
  return earliest === undefined ? null : earliest + windowMs;
}
