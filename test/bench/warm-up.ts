/**
 * The code of an agent that has run for a day is optimised. At 75 checks a second that takes minutes, during which a
 * check costs up to twice as much, so that the warm-up has so many times the rate.
 */
export const WARM_UP = { faster: 3, seconds: 20 };

/**
 * How long checks then run at the rate of the measurement, s; the processes that are compared do so at the same time. The first
 * collection of the whole heap makes V8 give up much of the optimised code, and a check costs up to twice as much again for 90 s;
 * so it does after a pause: of two alike, the one that warmed up first and then waited took 1.3 to 1.5 times as much as the other.
 * A handshake takes most of a check over HTTPS, which needs no such time.
 */
export function settleSeconds(url: string): number {
  return url.startsWith('https:') ? 30 : 150;
}
