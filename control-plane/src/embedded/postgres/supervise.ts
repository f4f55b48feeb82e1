import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs } from '@watchpost/shared/backoff';
import type { Postmaster } from './postmaster.js';
import { isRunning } from './process-state.js';

interface SuperviseOptions {
  postmaster: Postmaster;
  /** Finds or starts the server again. */
  restart(): Promise<Postmaster>;
  /** How long another process is given to start it first, ms. */
  patienceMs(): number;
  logger: Logger;
  /** Ends the supervision. */
  signal: AbortSignal;
}

const BACKOFF = { initialMs: 100, maxMs: 5_000, factor: 2 };
/** A server that ran this long was healthy: its next restart starts the backoff anew. */
const HEALTHY_MS = 30_000;
const POLL_MS = 250;

/** Watches the server and starts it again whenever it is gone, until aborted. */
export function supervise(options: SuperviseOptions): { ended: Promise<void> } {
  return { ended: keepRunning(options) };
}

async function keepRunning(options: SuperviseOptions): Promise<void> {
  const { logger, signal } = options;
  let current = options.postmaster;
  let attempt = 0;
  let sinceMs = performance.now();
  while (!signal.aborted) {
    await untilGone(current, signal);
    if (signal.aborted) return;
    logger.warn({ postgresPid: current.pid }, 'the embedded database is gone; starting it again');
    await pause(options.patienceMs(), signal);
    if (performance.now() - sinceMs > HEALTHY_MS) attempt = 0;
    // The first attempt is made at once.
    for (let started = false; !started && !signal.aborted; attempt++) {
      if (attempt > 0) await pause(backoffMs(attempt - 1, Math.random(), BACKOFF), signal);
      try {
        if (signal.aborted) return;
        current = await options.restart();
        started = true;
        sinceMs = performance.now();
        logger.info({ postgresPid: current.pid, attempt }, 'the embedded database runs again');
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error, attempt }, 'the embedded database could not be started');
      }
    }
  }
}

/** Our own child tells when it ends; one that was adopted has to be looked at. Keeps no process alive. */
async function untilGone(postmaster: Postmaster, signal: AbortSignal): Promise<void> {
  const { child } = postmaster;
  if (child !== undefined) {
    if (child.exitCode !== null || child.signalCode !== null || signal.aborted) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return;
  }
  while (!signal.aborted && (await isRunning(postmaster.pid, 'postgres'))) await pause(POLL_MS, signal);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
}
