import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { adviseOnEnd } from './advise-on-end.js';
import { decideAfterSession, type SessionEnd } from './decide-retry.js';

export interface KeepSessionOptions {
  /** For the log and metrics. */
  name: string;
  logger: Logger;
  /** Ends the loop. */
  signal: AbortSignal;
  /** Runs one stream to its end. Must not reject. */
  session(signal: AbortSignal): Promise<SessionEnd>;
  onReconnect(): void;
  /** The control plane refused for good. */
  onRefused(message: string, end: SessionEnd): void;
}

/** Keeps a stream open: one session after another, with growing waits between them while it does not go well. */
export async function keepSession(options: KeepSessionOptions): Promise<void> {
  const { name, logger, signal } = options;
  let attempt = 0;
  while (!signal.aborted) {
    const end = await options.session(signal);
    if (signal.aborted) return;
    const next = decideAfterSession(end, attempt, Math.random());
    if (next.kind === 'refused') return options.onRefused(next.message, end);
    attempt = next.attempt;
    logger[end.drained ? 'info' : 'warn'](
      { stream: name, code: end.code, details: end.details, advice: adviseOnEnd(end.details), waitMs: next.waitMs },
      'stream ended, connecting again',
    );
    await sleep(next.waitMs, undefined, { signal }).catch(() => {});
    if (!signal.aborted) options.onReconnect();
  }
}
