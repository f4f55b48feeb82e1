import type { Registry } from 'prom-client';
import type { FaultCode } from '@watchpost/shared/fault';
import { metricsOn } from '../telemetry/metrics-on.js';
import type { StreamEndReason } from './agent-gateway.js';

export type Rpc = 'PullAssignments' | 'StreamResults';

/** The metrics of the gRPC server. */
export class GrpcMetrics {
  readonly streams;
  readonly ends;
  readonly batches;
  readonly results;
  readonly inFlight;
  readonly ackSeconds;
  readonly ingestFailures;
  readonly closedConnections;
  readonly healthRequests;
  readonly healthWatches;
  readonly healthWatchesDisplaced;

  constructor(private readonly registry: Registry) {
    const { counter, gauge, histogram } = metricsOn(registry);
    this.streams = gauge('watchpost_agent_streams', 'Open streams of agents', 'rpc');
    this.ends = counter(
      'watchpost_agent_stream_ends_total',
      'Streams that the control plane ended, by reason',
      'rpc',
      'reason',
    );
    this.batches = counter('watchpost_result_batches_total', 'Batches of results received from agents');
    this.results = counter('watchpost_results_received_total', 'Results received from agents');
    this.inFlight = gauge('watchpost_results_in_flight', 'Results received and not yet acknowledged');
    this.ackSeconds = histogram(
      'watchpost_result_ack_seconds',
      'Seconds from the arrival of a batch to its acknowledgement',
      [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    );
    this.ingestFailures = counter(
      'watchpost_result_ingest_failures_total',
      'Failed ingests of results, which are repeated',
    );
    this.closedConnections = counter(
      'watchpost_grpc_closed_connections_total',
      'Connections that the gRPC port closed by a limit or after a failed handshake, by reason',
      'reason',
    );
    this.healthRequests = counter(
      'watchpost_grpc_health_requests_total',
      'Requests of the gRPC health protocol, by method and first answer',
      'method',
      'status',
    );
    this.healthWatches = gauge('watchpost_grpc_health_watches', 'Open watches of the gRPC health protocol');
    this.healthWatchesDisplaced = counter(
      'watchpost_grpc_health_watches_displaced_total',
      'Watches of the gRPC health protocol that were ended for newer ones',
    );
  }

  /** Under TLS only. */
  showStrangers(count: () => number): void {
    metricsOn(this.registry).shown(
      'watchpost_grpc_stranger_connections',
      'Connections without a valid certificate of an agent',
      count,
    );
  }

  /** Under TLS only. */
  showServerCertificate(expiresMs: () => number): void {
    metricsOn(this.registry).shown(
      'watchpost_grpc_certificate_expiry_seconds',
      'When the certificate of the gRPC port expires, seconds since the epoch',
      () => expiresMs() / 1_000,
    );
  }

  ended(rpc: Rpc, reason: StreamEndReason | FaultCode): void {
    this.ends.inc({ rpc, reason });
  }
}
