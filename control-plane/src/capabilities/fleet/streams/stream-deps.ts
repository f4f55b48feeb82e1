import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Stoppable } from '../../../platform/grpc/index.js';
import type { ResultSink } from '../../results/index.js';
import type { Fleet } from '../fleet.js';
import type { Caller } from './agent-call.js';
import type { AuthenticateCall } from './agent-credential.js';
import type { StreamMetrics } from './stream-metrics.js';

export interface StreamDeps {
  fleet: Pick<Fleet, 'authenticate' | 'openSession' | 'watchRevocation'>;
  resultSink: Pick<ResultSink, 'ingest'>;
  authenticate: AuthenticateCall;
  clock: Clock;
  metrics: StreamMetrics;
  logger: Logger;
  open: Set<Stoppable>;
}

/** The longest time of a timer, ms: about 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Stops a stream when the certificate that opened it expires. The agent has a new one by then, and reconnects with it.
 * @returns a function that cancels this
 */
export function stopAtExpiry(stream: Stoppable, { expiresMs }: Caller, nowMs: number): () => void {
  if (expiresMs === null) return () => {};
  const timer = setTimeout(
    () => void stream.stop('The certificate of this connection has expired.'),
    Math.min(Math.max(0, expiresMs - nowMs), MAX_TIMER_MS),
  );
  return () => clearTimeout(timer);
}
