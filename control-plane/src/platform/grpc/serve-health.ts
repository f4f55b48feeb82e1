import { fileURLToPath } from 'node:url';
import {
  loadPackageDefinition,
  Metadata,
  status,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type ServerWritableStream,
  type ServiceClientConstructor,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { load } from '@grpc/proto-loader';
import type { GrpcMetrics } from './grpc-metrics.js';
import type { ServiceHealth, ServingStatus } from './service-health.js';
import type { Stoppable } from './stoppable.js';

/** Vendored from github.com/grpc/grpc-proto, unchanged. */
const PROTO = fileURLToPath(new URL('../../../../proto/grpc/health/v1/health.proto', import.meta.url));

interface HealthRequest {
  service: string;
}
interface HealthResponse {
  status: ServingStatus;
}
type WatchCall = ServerWritableStream<HealthRequest, HealthResponse>;

export interface HealthDeps {
  health: ServiceHealth;
  metrics: GrpcMetrics;
  /** All open streams, which the server ends when it stops. */
  open: Set<Stoppable>;
  /** Watches at once, over all connections; beyond it the oldest one ends. */
  maxWatches: number;
}

/**
 * The standard health protocol, `grpc.health.v1.Health`, for callers without a credential:
 * https://github.com/grpc/grpc/blob/master/doc/health-checking.md. It states per role whether this process serves, and
 * nothing else, so that load balancers and orchestrators can route by it.
 */
export async function healthService(
  deps: HealthDeps,
): Promise<{ definition: ServiceDefinition; implementation: UntypedServiceImplementation }> {
  const packages = loadPackageDefinition(await load(PROTO, { enums: String, defaults: true })) as unknown as {
    grpc: { health: { v1: { Health: ServiceClientConstructor } } };
  };
  const { health, metrics } = deps;
  const check: handleUnaryCall<HealthRequest, HealthResponse> = ({ request }, answer) =>
    void health.statusOf(request.service).then((found) => {
      metrics.healthRequests.inc({ method: 'Check', status: found });
      if (found !== 'SERVICE_UNKNOWN') answer(null, { status: found });
      else answer({ code: status.NOT_FOUND, details: 'There is no service of this name.', metadata: new Metadata() });
    });
  const list: handleUnaryCall<unknown, { statuses: Record<string, HealthResponse> }> = (_call, answer) =>
    void health.statusOfAll().then((all) => {
      metrics.healthRequests.inc({ method: 'List', status: all['']! });
      const answers = Object.entries(all).map(([service, found]) => [service, { status: found }]);
      answer(null, { statuses: Object.fromEntries(answers) as Record<string, HealthResponse> });
    });
  const watches = new HealthWatches(deps);
  const watch: handleServerStreamingCall<HealthRequest, HealthResponse> = (call) => watches.add(call);
  return { definition: packages.grpc.health.v1.Health.service, implementation: { check, list, watch } };
}

class HealthWatches {
  /** Oldest first. */
  private readonly watches = new Set<HealthWatch>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: HealthDeps) {
    deps.health.onDrain(() => this.look());
  }

  add(call: WatchCall): void {
    const { health, metrics, open, maxWatches } = this.deps;
    const watch = new HealthWatch(call, health, (first) =>
      metrics.healthRequests.inc({ method: 'Watch', status: first }),
    );
    this.watches.add(watch);
    open.add(watch);
    metrics.healthWatches.set(this.watches.size);
    call.once('close', () => this.remove(watch));
    call.once('cancelled', () => this.remove(watch));
    if (this.watches.size > maxWatches) {
      const [oldest] = this.watches;
      oldest!.end(status.RESOURCE_EXHAUSTED, 'There are too many watches: use Check.');
      this.remove(oldest!);
      metrics.healthWatchesDisplaced.inc();
    }
    void watch.look();
    this.timer ??= setInterval(() => this.look(), health.lookMs).unref();
  }

  private remove(watch: HealthWatch): void {
    if (!this.watches.delete(watch)) return;
    this.deps.open.delete(watch);
    this.deps.metrics.healthWatches.set(this.watches.size);
    if (this.watches.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private look(): void {
    for (const watch of this.watches) void watch.look();
  }
}

class HealthWatch implements Stoppable {
  private sent: ServingStatus | undefined;
  private over = false;

  constructor(
    private readonly call: WatchCall,
    private readonly health: ServiceHealth,
    private readonly onFirst: (status: ServingStatus) => void,
  ) {}

  /** Sends the status if it is another one. */
  async look(): Promise<void> {
    const found = await this.health.statusOf(this.call.request.service);
    if (this.over || found === this.sent) return;
    if (this.call.writableNeedDrain) return this.end(status.UNAVAILABLE, 'The former status was not read in time.');
    if (this.sent === undefined) this.onFirst(found);
    this.sent = found;
    this.call.write({ status: found });
  }

  end(code: status, details: string): void {
    if (this.over) return;
    this.over = true;
    this.call.emit('error', { code, details, metadata: new Metadata() });
  }

  async stop(reason: string): Promise<void> {
    await this.look();
    this.end(status.UNAVAILABLE, reason);
  }
}
