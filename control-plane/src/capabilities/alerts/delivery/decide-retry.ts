import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';

/** The waits between the tries of one delivery: the first try and eight more, over some 20 hours. */
export const RETRY_WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];
/** How much longer than planned a wait may be, so that all who failed together do not come back together. */
const JITTER = 0.2;

/**
 * When a delivery that failed is tried again.
 * @param attempts how often it was tried, this time included
 * @param retryAfterMs what the receiver asked for: waited for at least
 * @param random in [0, 1)
 * @returns ms since the epoch; null where it is given up
 */
export function decideRetry(attempts: number, nowMs: number, random: number, retryAfterMs?: number): number | null {
  const waitMs = RETRY_WAITS_MS[attempts - 1];
  if (waitMs === undefined) return null;
  return nowMs + Math.max(Math.round(waitMs * (1 + random * JITTER)), retryAfterMs ?? 0);
}

/** How long something waits for a server of our own, such as the mail server, that cannot be used. */
export const MOST_WAIT_FOR_SERVER_MS = 24 * HOUR_MS;

/**
 * When a delivery is tried again that did not get as far as its destination, because the server that it goes through
 * cannot be used. It does not count as a try.
 * @returns ms since the epoch; null where it is given up
 */
export function decideRetryOfServer(createdMs: number, nowMs: number, retryAfterMs: number): number | null {
  return nowMs - createdMs >= MOST_WAIT_FOR_SERVER_MS ? null : nowMs + retryAfterMs;
}
