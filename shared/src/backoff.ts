export interface BackoffOptions {
  initialMs: number;
  maxMs: number;
  factor: number;
}

/**
 * The wait before the next attempt: exponential, with jitter on the upper half, so that a fleet does not reconnect all at
 * once. Pure: it does not sleep.
 * @param attempt 0 for the first wait
 * @param random in [0, 1)
 * @returns ms, between half of the exponential value and the whole of it
 */
export function backoffMs(attempt: number, random: number, options: BackoffOptions): number {
  const ceiling = Math.min(options.maxMs, options.initialMs * options.factor ** Math.min(attempt, 64));
  return Math.round(ceiling * (0.5 + random / 2));
}
