import type { Registry } from 'prom-client';
import type { FaultCode } from '@watchpost/shared/fault';
import { metricsOn } from '@watchpost/shared/metrics-on';
import type { StreamEndReason } from '../agents/agent-connection.js';

export type Rpc = 'PullAssignments' | 'StreamResults';

export function streamMetrics(registry: Registry) {
  const { counter, gauge, histogram } = metricsOn(registry);
  const streams = gauge('watchpost_agent_streams', 'Open streams of agents', 'rpc');
  const ends = counter(
    'watchpost_agent_stream_ends_total',
    'Streams that the control plane ended, by reason',
    'rpc',
    'reason',
  );
  const batches = counter('watchpost_result_batches_total', 'Batches of results received from agents');
  const results = counter('watchpost_results_received_total', 'Results received from agents');
  const inFlight = gauge('watchpost_results_in_flight', 'Results received and not yet acknowledged');
  const ackSeconds = histogram(
    'watchpost_result_ack_seconds',
    'Seconds from the arrival of a batch to its acknowledgement',
    [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
  );
  const ingestFailures = counter(
    'watchpost_result_ingest_failures_total',
    'Failed ingests of results, which are repeated',
  );
  const ended = (rpc: Rpc, reason: StreamEndReason | FaultCode): void => ends.inc({ rpc, reason });
  return { streams, batches, results, inFlight, ackSeconds, ingestFailures, ended };
}

export type StreamMetrics = ReturnType<typeof streamMetrics>;
