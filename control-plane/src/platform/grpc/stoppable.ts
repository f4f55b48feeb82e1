import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Caller } from './agent-call.js';
import type { AuthenticateCall } from './agent-credential.js';
import type { AgentGateway, ResultSink } from './agent-gateway.js';
import type { GrpcMetrics } from './grpc-metrics.js';

/** A stream that the server can end: it finishes running work, and the agent is sent the reason and reconnects. */
export interface Stoppable {
  stop(reason: string): Promise<void>;
}

/** What the streams of agents need. */
export interface StreamDeps {
  gateway: AgentGateway;
  resultSink: ResultSink;
  authenticate: AuthenticateCall;
  clock: Clock;
  metrics: GrpcMetrics;
  logger: Logger;
  /** All open streams. */
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
