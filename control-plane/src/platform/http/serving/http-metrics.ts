import type { Registry } from 'prom-client';
import { metricsOn, REQUEST_SECONDS } from '@watchpost/shared/metrics-on';

/** What the HTTP shell counts. Routes are labelled by their template, so the labels stay few. */
export class HttpMetrics {
  private readonly requests;
  private readonly durations;
  private readonly inFlight;

  constructor(registry: Registry) {
    const { counter, gauge, histogram } = metricsOn(registry);
    this.requests = counter(
      'watchpost_http_requests_total',
      'Requests answered, by method, route template and status; 499 for callers who hung up first',
      'method',
      'route',
      'status',
    );
    this.durations = histogram(
      'watchpost_http_request_duration_seconds',
      'Time from the request line to the end of the answer',
      REQUEST_SECONDS,
      'method',
      'route',
    );
    this.inFlight = gauge('watchpost_http_requests_in_flight', 'Requests being worked on');
  }

  started(): void {
    this.inFlight.inc();
  }

  /** @param durationMs null for an event stream */
  ended(method: string, route: string, status: number, durationMs: number | null): void {
    this.inFlight.dec();
    this.requests.inc({ method, route, status });
    if (durationMs !== null) this.durations.observe({ method, route }, durationMs / 1000);
  }
}
