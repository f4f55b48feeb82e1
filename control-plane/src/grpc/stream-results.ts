import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { ResultAck } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import { AgentCall } from './agent-call.js';
import type { AgentGateway } from './agent-gateway.js';
import type { ReceivedBatch } from './from-wire.js';
import type { GrpcMetrics } from './grpc-metrics.js';
import { ResultPipeline } from './result-pipeline.js';
import type { WireError } from './wire-error.js';

/** A stream that the server can bring to an end: what it holds is finished, the agent told to come again. */
export interface Stoppable {
  stop(): Promise<void>;
}

export interface StreamDeps {
  gateway: AgentGateway;
  metrics: GrpcMetrics;
  logger: Logger;
  /** Every open stream is in it. */
  open: Set<Stoppable>;
}

/** Serves one StreamResults stream until it is over. */
export async function serveResults(
  call: ServerDuplexStream<ReceivedBatch | WireError, ResultAck>,
  deps: StreamDeps,
): Promise<void> {
  const { gateway, metrics } = deps;
  const stream = new AgentCall(call, 'StreamResults', metrics);
  const agent = await stream.authenticate(gateway);
  if (!agent) return;
  const logger = deps.logger.child({ agentId: agent.agentId, region: agent.region });
  let unacknowledged = 0;
  const pipeline = new ResultPipeline({
    ingest: (results) => gateway.ingest(agent, results),
    acknowledge: (throughSequence) => void stream.send({ throughSequence: BigInt(throughSequence) }),
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    refuse: (error) => stream.refuse(error),
    onFailure: (error, attempt) => {
      metrics.ingestFailures.inc();
      logger.warn({ err: error, attempt }, 'results could not be ingested; trying again');
    },
    onAcknowledged: (results, tookMs) => {
      unacknowledged -= results;
      metrics.inFlight.dec(results);
      metrics.ackSeconds.observe(tookMs / 1_000);
    },
  });
  const stoppable: Stoppable = {
    stop: async () => {
      stream.pause();
      await pipeline.idle();
      stream.end('stopping', 'The control plane stops: connect again.');
    },
  };
  deps.open.add(stoppable);
  const endWatch = gateway.watchRevocation(agent, () => stream.end('revoked', 'This agent was revoked.'));
  stream.whenOver(() => {
    pipeline.close();
    endWatch();
    deps.open.delete(stoppable);
    metrics.inFlight.dec(unacknowledged);
    unacknowledged = 0;
  });
  stream.read(
    (batch) => {
      try {
        pipeline.push(batch);
      } catch (error) {
        stream.refuse(error as WireError);
        return;
      }
      metrics.batches.inc();
      metrics.results.inc(batch.results.length);
      metrics.inFlight.inc(batch.results.length);
      unacknowledged += batch.results.length;
    },
    () => void pipeline.idle().then(() => stream.complete()),
  );
}
