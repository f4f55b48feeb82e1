import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';

/** The waits between the attempts of one delivery: nine attempts in about 20 hours. */
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
/** The largest part by which a wait is lengthened, so that deliveries that failed together do not retry together. */
const JITTER = 0.2;

/**
 * Decides when a failed delivery is attempted again.
 * @param attempts the number of attempts, this one included
 * @param random in [0, 1)
 * @param retryAfterMs the shortest wait that the receiver asks for
 * @returns ms since the epoch; null: the delivery is given up
 */
export function decideRetry(attempts: number, nowMs: number, random: number, retryAfterMs?: number): number | null {
  const waitMs = RETRY_WAITS_MS[attempts - 1];
  if (waitMs === undefined) return null;
  return nowMs + Math.max(Math.round(waitMs * (1 + random * JITTER)), retryAfterMs ?? 0);
}

/** The longest time for which a delivery waits for a server of this installation, such as the mail server. */
export const MAX_SERVER_WAIT_MS = 24 * HOUR_MS;

/**
 * Decides when a delivery is attempted again that did not reach its destination, because the server that it goes through
 * is unavailable. It does not count as an attempt.
 * @returns ms since the epoch; null: the delivery is given up
 */
export function decideRetryOfServer(createdMs: number, nowMs: number, retryAfterMs: number): number | null {
  return nowMs - createdMs >= MAX_SERVER_WAIT_MS ? null : nowMs + retryAfterMs;
}
