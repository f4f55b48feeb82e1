import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What the HTTP shell counts. Routes are labelled by their template, so the labels stay few. */
export class HttpMetrics {
  private readonly requests: Counter<'method' | 'route' | 'status'>;
  private readonly durations: Histogram<'method' | 'route'>;
  private readonly inFlight: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.requests = new Counter({
      name: 'watchpost_http_requests_total',
      help: 'Requests answered, by method, route template and status; 499 for callers who hung up first',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.durations = new Histogram({
      name: 'watchpost_http_request_duration_seconds',
      help: 'Time from the request line to the end of the answer',
      labelNames: ['method', 'route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
    this.inFlight = new Gauge({
      name: 'watchpost_http_requests_in_flight',
      help: 'Requests being worked on',
      registers,
    });
  }

  started(): void {
    this.inFlight.inc();
  }

  ended(method: string, route: string, status: number, durationMs: number): void {
    this.inFlight.dec();
    this.requests.inc({ method, route, status });
    this.durations.observe({ method, route }, durationMs / 1000);
  }
}
