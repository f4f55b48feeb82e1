import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, type BackoffOptions } from './backoff.js';

export interface RetryOptions {
  backoff: BackoffOptions;
  /** Ends the waiting between attempts. */
  signal?: AbortSignal;
  /** Reports a failed attempt; what it throws ends the retries. @param attempt 0 for the first */
  onFailure(error: unknown, attempt: number): void;
}

/**
 * Makes attempts, with a growing pause between them, until one succeeds.
 * @throws what `onFailure` throws; the reason of `signal` once it is aborted
 */
export async function retry<T>(attemptOnce: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    options.signal?.throwIfAborted();
    try {
      return await attemptOnce();
    } catch (error) {
      options.signal?.throwIfAborted();
      options.onFailure(error, attempt);
    }
    await pause(backoffMs(attempt, Math.random(), options.backoff), options.signal);
  }
}

export interface KeepRunningOptions {
  backoff: BackoffOptions;
  /** A run that lasted this long was healthy: the backoff starts anew, ms. */
  healthyMs: number;
  signal: AbortSignal;
  /** Reports the end of a run. @param error undefined where it ended without one */
  onEnd(error: unknown, restart: { attempt: number; delayMs: number }): void;
}

/** Runs what is meant to last, and starts it again after a growing pause whenever it ends. Resolves once `signal` is aborted. */
export async function keepRunning(run: () => Promise<void>, options: KeepRunningOptions): Promise<void> {
  const { backoff, healthyMs, signal, onEnd } = options;
  for (let attempt = 0; !signal.aborted; attempt++) {
    const startedMs = performance.now();
    let failure: unknown;
    try {
      await run();
    } catch (error) {
      failure = error;
    }
    if (signal.aborted) return;
    if (performance.now() - startedMs > healthyMs) attempt = 0;
    const delayMs = backoffMs(attempt, Math.random(), backoff);
    onEnd(failure, { attempt, delayMs });
    await pause(delayMs, signal);
  }
}

/** Resolves after `ms`, or as soon as `signal` is aborted. Keeps no process alive. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
}
