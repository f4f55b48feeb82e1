import { fileURLToPath } from 'node:url';
import {
  credentials,
  loadPackageDefinition,
  status,
  type Client,
  type ClientReadableStream,
  type ServiceClientConstructor,
  type ServiceError,
  type StatusObject,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { systemClock } from '@watchpost/shared/clock';
import { expect } from 'chai';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { startGrpcServer, type GrpcServer } from './grpc-server.js';
import { ServiceHealth } from './service-health.js';

const PROTO = fileURLToPath(new URL('../../../../proto/grpc/health/v1/health.proto', import.meta.url));
const LOOK_MS = 20;

type Watch = ClientReadableStream<{ status: string }>;

class Watched {
  readonly statuses: string[] = [];
  end: StatusObject | undefined;
  private wake: () => void = () => {};

  constructor(readonly stream: Watch) {
    stream.on('data', (answer: { status: string }) => {
      this.statuses.push(answer.status);
      this.wake();
    });
    stream.on('error', () => {});
    stream.on('status', (end: StatusObject) => {
      this.end = end;
      this.wake();
    });
  }

  async until(isReached: (watched: this) => boolean): Promise<void> {
    while (!isReached(this)) await new Promise<void>((resolve) => (this.wake = resolve));
  }
}

describe('The health protocol of the port for agents', () => {
  let server: GrpcServer;
  let client: Client;
  let isReady: boolean;
  let looks: number;
  let health: ServiceHealth;
  let registry: Registry;

  beforeEach(async () => {
    isReady = true;
    looks = 0;
    registry = new Registry();
    health = new ServiceHealth({
      services: { '': true, gateway: true, worker: false },
      isReady: () => {
        looks++;
        return Promise.resolve(isReady);
      },
      lookMs: LOOK_MS,
    });
    server = await startGrpcServer({
      host: '127.0.0.1',
      port: 0,
      tls: null,
      agents: { addTo: () => undefined },
      health,
      clock: systemClock,
      registry,
      logger: pino({ level: 'silent' }),
      limits: { healthWatches: 3 },
    });
    const { grpc } = loadPackageDefinition(loadSync(PROTO, { enums: String, defaults: true })) as unknown as {
      grpc: { health: { v1: { Health: ServiceClientConstructor } } };
    };
    client = new grpc.health.v1.Health(`127.0.0.1:${server.port}`, credentials.createInsecure());
  });
  afterEach(async () => {
    client.close();
    await server.stop(1_000);
  });

  /** @returns the answer, or the code of the error */
  const call = (method: 'check' | 'list', request: object): Promise<unknown> =>
    new Promise((resolve) => {
      const methods = client as unknown as Record<string, (...args: unknown[]) => void>;
      methods[method]!(request, (error: ServiceError | null, answer: unknown) => resolve(error?.code ?? answer));
    });
  const watch = (service: string): Watched =>
    new Watched((client as unknown as { watch(request: object): Watch }).watch({ service }));

  it('reports the process and its roles, and an unknown service as NOT_FOUND', async () => {
    expect(await call('check', {})).to.deep.equal({ status: 'SERVING' });
    expect(await call('check', { service: 'gateway' })).to.deep.equal({ status: 'SERVING' });
    expect(await call('check', { service: 'worker' })).to.deep.equal({ status: 'NOT_SERVING' });
    for (const service of ['other', 'constructor', '__proto__'])
      expect(await call('check', { service }), service).to.equal(status.NOT_FOUND);
    expect(await call('list', {})).to.deep.equal({
      statuses: { '': { status: 'SERVING' }, gateway: { status: 'SERVING' }, worker: { status: 'NOT_SERVING' } },
    });
  });

  it('sends a watch each change, from the first status to the drain and the stop', async () => {
    const watched = watch('gateway');
    await watched.until(({ statuses }) => statuses.length === 1);
    isReady = false;
    await watched.until(({ statuses }) => statuses.length === 2);
    isReady = true;
    await watched.until(({ statuses }) => statuses.length === 3);
    health.drain();
    await watched.until(({ statuses }) => statuses.length === 4);
    expect(watched.statuses).to.deep.equal(['SERVING', 'NOT_SERVING', 'SERVING', 'NOT_SERVING']);
    expect(await call('check', {})).to.deep.equal({ status: 'NOT_SERVING' });
    await server.stop(1_000);
    await watched.until(({ end }) => end !== undefined);
    expect(watched.end).to.include({ code: status.UNAVAILABLE });
  });

  it('keeps a watch of an unknown service open', async () => {
    const watched = watch('other');
    await watched.until(({ statuses }) => statuses.length === 1);
    expect(watched.statuses).to.deep.equal(['SERVICE_UNKNOWN']);
    expect(watched.end).to.equal(undefined);
    watched.stream.cancel();
  });

  it('ends the oldest watch beyond the limit, and determines the status once for all', async () => {
    const watches: Watched[] = [];
    for (let index = 0; index < 5; index++) {
      watches.push(watch('gateway'));
      await watches.at(-1)!.until(({ statuses }) => statuses.length === 1);
    }
    await watches[1]!.until(({ end }) => end !== undefined);
    expect(watches.map(({ end }) => end?.code)).to.deep.equal([
      status.RESOURCE_EXHAUSTED,
      status.RESOURCE_EXHAUSTED,
      undefined,
      undefined,
      undefined,
    ]);
    const metrics = await registry.metrics();
    expect(metrics).to.include('watchpost_grpc_health_watches 3');
    expect(metrics).to.include('watchpost_grpc_health_watches_displaced_total 2');
    const before = looks;
    const startMs = performance.now();
    for (let index = 0; index < 50; index++) await call('check', {});
    expect(looks - before).to.be.at.most(2 + (2 * (performance.now() - startMs)) / LOOK_MS);
    for (const { stream } of watches) stream.cancel();
    await Promise.all(watches.map((one) => one.until(({ end }) => end !== undefined)));
    while (!(await registry.metrics()).includes('watchpost_grpc_health_watches 0'))
      await new Promise((resolve) => setTimeout(resolve, 5));
  });
});
