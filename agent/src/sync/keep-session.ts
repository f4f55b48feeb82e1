import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
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

/** What TLS says where the two sides are set up differently, by a piece of its text, and what to do about it. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /wrong version number|packet length too long/i,
    'that port speaks no TLS: it must be GRPC_PORT of the control plane, which speaks TLS with GRPC_TLS_HOSTS',
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    'the certificate there is for other names: put this one into GRPC_TLS_HOSTS of the control plane',
  ],
  [
    /self-signed certificate|unable to get (?:local )?issuer/i,
    'the authority there is not known: give the whole token, with what stands behind its dot, or name the authority in NODE_EXTRA_CA_CERTS',
  ],
];

/** What an operator may do about a connection that did not come about; undefined where only waiting helps. */
export function adviseOnEnd(details: string): string | undefined {
  return ADVICE.find(([pattern]) => pattern.test(details))?.[1];
}
