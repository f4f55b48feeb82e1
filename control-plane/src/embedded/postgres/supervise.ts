import type { Logger } from 'pino';
import { keepRunning, pause } from '@watchpost/shared/retry';
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

/** Watches the server and starts it again whenever it ends, until aborted. */
export async function supervise(options: SuperviseOptions): Promise<void> {
  const { logger, signal } = options;
  let current = options.postmaster;
  let isStarted = true;
  const run = async (): Promise<void> => {
    if (!isStarted) {
      current = await options.restart();
      isStarted = true;
      logger.info({ postgresPid: current.pid }, 'the embedded database runs again');
    }
    await untilGone(current, signal);
    if (signal.aborted) return;
    isStarted = false;
    logger.warn({ postgresPid: current.pid }, 'the embedded database is gone; starting it again');
    await pause(options.patienceMs(), signal);
  };
  await keepRunning(run, {
    backoff: BACKOFF,
    healthyMs: HEALTHY_MS,
    signal,
    onEnd(error, { attempt }) {
      if (error !== undefined) logger.error({ err: error, attempt }, 'the embedded database could not be started');
    },
  });
}

/** A child of this process emits `exit`; a server that another process started is polled. */
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
