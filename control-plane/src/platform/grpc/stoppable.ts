import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Caller } from './agent-call.js';
import type { AuthenticateCall } from './agent-credential.js';
import type { AgentGateway, ResultSink } from './agent-gateway.js';
import type { GrpcMetrics } from './grpc-metrics.js';

/** A stream that the server can bring to an end: what it holds is finished, the agent told why, and to come again. */
export interface Stoppable {
  stop(why: string): Promise<void>;
}

/** What the streams of agents stand on. */
export interface StreamDeps {
  gateway: AgentGateway;
  resultSink: ResultSink;
  authenticate: AuthenticateCall;
  clock: Clock;
  metrics: GrpcMetrics;
  logger: Logger;
  /** Every open stream is in it. */
  open: Set<Stoppable>;
}

/** The longest that a timer takes, ms: about 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A stream does not outlive the certificate that opened it: the agent has had a new one for long, and comes again with it.
 * @returns a function that ends the watch
 */
export function stopAtExpiry(stream: Stoppable, { expiresMs }: Caller, nowMs: number): () => void {
  if (expiresMs === null) return () => {};
  const timer = setTimeout(
    () => void stream.stop('The certificate of this connection has expired.'),
    Math.min(Math.max(0, expiresMs - nowMs), MAX_TIMER_MS),
  );
  return () => clearTimeout(timer);
}
