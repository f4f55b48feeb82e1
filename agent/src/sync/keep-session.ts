import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { decideAfterSession, type SessionEnd } from './decide-retry.js';

export interface KeepSessionOptions {
  /** For the log. */
  name: string;
  logger: Logger;
  signal: AbortSignal;
  /** Runs one stream to its end. Must not reject. */
  session(signal: AbortSignal): Promise<SessionEnd>;
  onReconnect(): void;
  onRefused(message: string, end: SessionEnd): void;
}

/** Keeps a stream open: one session after another, with growing waits after failures. */
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
      'stream ended; reconnecting',
    );
    await sleep(next.waitMs, undefined, { signal }).catch(() => {});
    if (!signal.aborted) options.onReconnect();
  }
}

/** Errors of a wrong configuration, by a part of their text, and how to correct it. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /wrong version number|packet length too long/i,
    'this port does not use TLS; use GRPC_PORT of the control plane, which uses TLS if GRPC_TLS_HOSTS is set',
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    'the certificate is for other names; add this name to GRPC_TLS_HOSTS of the control plane',
  ],
  [
    /self-signed certificate|unable to get (?:local )?issuer/i,
    'the authority is not trusted; set AGENT_TOKEN to the whole token, including the part after its dot, or add the authority to NODE_EXTRA_CA_CERTS',
  ],
  [
    /last error: failed to connect/i,
    'something accepts the connection and ends it without an answer; if GRPC_TLS_HOSTS of the control plane is set, CONTROL_PLANE_URL begins with https://',
  ],
];

/** How an operator can correct a failed connection; undefined where only waiting helps. */
export function adviseOnEnd(details: string): string | undefined {
  return ADVICE.find(([pattern]) => pattern.test(details))?.[1];
}
