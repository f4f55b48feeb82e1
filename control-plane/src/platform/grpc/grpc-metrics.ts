import type { Registry } from 'prom-client';
import { metricsOn } from '@watchpost/shared/metrics-on';

export class GrpcMetrics {
  readonly closedConnections;
  readonly healthRequests;
  readonly healthWatches;
  readonly healthWatchesDisplaced;

  constructor(private readonly registry: Registry) {
    const { counter, gauge } = metricsOn(registry);
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
}
