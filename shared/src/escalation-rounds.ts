import { DAY_MS, MINUTE_MS } from './time.js';

const LEAST_MS = 5 * MINUTE_MS;

/** No step is due so long after paging began, whatever the policy has, ms. */
export const LONGEST_PAGING_MS = 30 * DAY_MS;

/**
 * Decides how long the first step of a further round waits after the last step of the round before, ms.
 * @param waitsMs how long each step of a round waits after the one before
 */
export function betweenRoundsMs(waitsMs: readonly number[]): number {
  return Math.max(waitsMs[0]!, waitsMs.at(-1)!, LEAST_MS);
}
