import { signal } from '@preact/signals';

const TICK_MS = 1_000;
/** Below this, the difference is the time that an answer takes. */
const LEAST_OFFSET_MS = 2_000;

let offsetMs = 0;

/** The time of the server as far as it is known, ms since the epoch; components that read it follow it by the second. */
export const now = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now() + offsetMs;
}, TICK_MS);

/** @returns the time of the server as far as it is known, ms since the epoch */
export function nowMs(): number {
  return Date.now() + offsetMs;
}

/** Follows the time at which the server answered, so that ages are right on a machine whose clock is wrong. */
export function followServerTime(date: string | null): void {
  const differenceMs = (date === null ? NaN : Date.parse(date)) - Date.now();
  if (Number.isNaN(differenceMs) || Math.abs(differenceMs - offsetMs) < LEAST_OFFSET_MS) return;
  offsetMs = differenceMs;
  now.value = nowMs();
}
