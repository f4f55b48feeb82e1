import type { ManagedProcess } from '../managed-process.js';

const PRELOAD = new URL('./preload-clock.js', import.meta.url).href;

/**
 * The environment of a process whose wall clock can be wrong. Negative is behind.
 * @param offMs how far it is ahead at the start
 * @param stepMs how far ahead `moveClock` sets one that is right
 */
export function movableClock({ offMs = 0, stepMs = 60_000 }: { offMs?: number; stepMs?: number }): {
  [name: string]: string;
} {
  return { NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_OFF_MS: String(offMs), CLOCK_STEP_MS: String(stepMs) };
}

/** Corrects the clock of a process if it is wrong, and makes it wrong if it is right. */
export function moveClock(process: ManagedProcess): void {
  process.kill('SIGUSR2');
}
