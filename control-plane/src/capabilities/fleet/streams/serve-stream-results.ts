import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { ResultAck } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { regionOfCode } from '@watchpost/shared/region';
import type { AgentIdentity } from '../agents/agent-connection.js';
import { AgentCall } from './agent-call.js';
import type { ReceivedBatch } from '@watchpost/shared/wire/decode-result-batch';
import { ResultPipeline } from './result-pipeline.js';
import type { ReportingAgent } from '../../results/index.js';
import type { Stoppable } from '../../../platform/grpc/index.js';
import { stopAtExpiry, type StreamDeps } from './stream-deps.js';
import type { WireError } from '@watchpost/shared/wire/wire-error';

export async function serveStreamResults(
  call: ServerDuplexStream<ReceivedBatch | WireError, ResultAck>,
  deps: StreamDeps,
): Promise<void> {
  const { fleet, resultSink, metrics } = deps;
  const stream = new AgentCall(call, 'StreamResults', metrics);
  const caller = await stream.authenticate(deps.authenticate);
  if (!caller) return;
  const { agent } = caller;
  const logger = deps.logger.child({ agentId: agent.agentId, region: agent.region });
  let unacknowledged = 0;
  const pipeline = new ResultPipeline({
    ingest: (results, onRest) => resultSink.ingest(reportingAgent(agent), results, onRest),
    acknowledge: (throughSequence, refused) =>
      void stream.send({
        throughSequence: BigInt(throughSequence),
        refused: refused.map(({ sequence, reason }) => ({ sequence: BigInt(sequence), reason })),
      }),
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
    stop: async (reason) => {
      stream.pause();
      await pipeline.idle();
      stream.end('stopping', `${reason} Connect again.`);
    },
  };
  deps.open.add(stoppable);
  const endExpiry = stopAtExpiry(stoppable, caller, deps.clock.now());
  const endWatch = fleet.watchRevocation(agent, (reason) => stream.endRevoked(reason));
  stream.whenOver(() => {
    pipeline.close();
    endWatch();
    endExpiry();
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

/** As results name it: by the code of its place. */
function reportingAgent({ agentId, agentKey, region, code, workspaceId }: AgentIdentity): ReportingAgent {
  const location = workspaceId === null ? {} : { location: { id: region, workspaceId } };
  return { agentId, agentKey, region: regionOfCode(code), ...location };
}
