import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { FaultCode } from '@watchpost/shared/fault';
import type { StreamEndReason } from './agent-gateway.js';

export type Rpc = 'PullAssignments' | 'StreamResults';

/** What the gRPC server counts. */
export class GrpcMetrics {
  readonly streams: Gauge<'rpc'>;
  readonly ends: Counter<'rpc' | 'reason'>;
  readonly batches: Counter;
  readonly results: Counter;
  readonly inFlight: Gauge;
  readonly ackSeconds: Histogram;
  readonly ingestFailures: Counter;
  readonly closedConnections: Counter<'reason'>;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.streams = new Gauge({
      name: 'watchpost_agent_streams',
      help: 'Streams of agents that are open',
      labelNames: ['rpc'],
      registers,
    });
    this.ends = new Counter({
      name: 'watchpost_agent_stream_ends_total',
      help: 'Streams that the control plane ended, by why',
      labelNames: ['rpc', 'reason'],
      registers,
    });
    this.batches = new Counter({
      name: 'watchpost_result_batches_total',
      help: 'Batches of results received from agents',
      registers,
    });
    this.results = new Counter({
      name: 'watchpost_results_received_total',
      help: 'Results received from agents',
      registers,
    });
    this.inFlight = new Gauge({
      name: 'watchpost_results_in_flight',
      help: 'Results received and not yet acknowledged',
      registers,
    });
    this.ackSeconds = new Histogram({
      name: 'watchpost_result_ack_seconds',
      help: 'From the arrival of a batch to its acknowledgement',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
      registers,
    });
    this.ingestFailures = new Counter({
      name: 'watchpost_result_ingest_failures_total',
      help: 'Ingests of results that failed and are tried again',
      registers,
    });
    this.closedConnections = new Counter({
      name: 'watchpost_grpc_closed_connections_total',
      help: 'Connections that the gRPC port closed before they were of use, by why',
      labelNames: ['reason'],
      registers,
    });
  }

  /** Under TLS only. */
  showStrangers(count: () => number): void {
    this.show('watchpost_grpc_stranger_connections', 'Connections without a valid certificate of an agent', count);
  }

  /** Under TLS only. */
  showServerCertificate(expiresMs: () => number): void {
    this.show(
      'watchpost_grpc_certificate_expiry_seconds',
      'When the certificate of the gRPC port expires, seconds since the epoch',
      () => expiresMs() / 1_000,
    );
  }

  private show(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: () => gauge.set(read()),
    });
  }

  ended(rpc: Rpc, reason: StreamEndReason | FaultCode): void {
    this.ends.inc({ rpc, reason });
  }
}
