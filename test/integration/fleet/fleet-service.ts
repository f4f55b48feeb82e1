import { Registry } from 'prom-client';
import { pino } from 'pino';
import { systemClock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { LocalBus } from '@watchpost/control-plane/coordination/bus';
import { createAgent, Fleet, type FleetTimes } from '@watchpost/control-plane/fleet/index';
import { startGrpcServer, type GrpcServer } from '@watchpost/control-plane/grpc/index';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { AgentClient } from './agent-client.js';
import { CheckTable } from './check-table.js';

export interface FleetServiceOptions {
  times?: Partial<FleetTimes>;
  keepalive?: { timeMs: number; timeoutMs: number };
  ingest?: (results: CheckResult[]) => Promise<void>;
  /** A service of before whose database this one takes over, as after a restart. */
  after?: FleetService;
}

/** Fleet and gRPC server as the control plane composes them, on a database of their own. */
export class FleetService {
  private readonly clients: AgentClient[] = [];

  private constructor(
    readonly test: TestDatabase,
    readonly bus: LocalBus,
    readonly checks: CheckTable,
    readonly fleet: Fleet,
    readonly registry: Registry,
    private readonly server: GrpcServer,
  ) {}

  static async start(options: FleetServiceOptions = {}): Promise<FleetService> {
    const test = options.after?.test ?? (await createTestDatabase());
    const bus = new LocalBus();
    const checks = new CheckTable(test.database, bus);
    if (!options.after) await checks.make();
    const logger = pino({ level: process.env.FLEET_TEST_LOG ?? 'silent' });
    const registry = new Registry();
    const fleet = new Fleet({
      db: test.database,
      clock: systemClock,
      logger,
      registry,
      bus,
      processId: newId(Date.now()),
      calls: null,
      checks,
      ingest: async (_agent, results) => options.ingest?.(results),
      times: { departureMs: 200, startupGraceMs: 1_000, statusPollMs: 100, pulseFlushMs: 50, ...options.times },
    });
    const keepalive = options.keepalive ? { keepalive: options.keepalive } : {};
    const server = await startGrpcServer({
      host: '127.0.0.1',
      port: 0,
      tls: null,
      gateway: fleet,
      clock: systemClock,
      logger,
      registry,
      ...keepalive,
    });
    return new FleetService(test, bus, checks, fleet, registry, server);
  }

  get port(): number {
    return this.server.port;
  }

  get deps() {
    return { db: this.test.database, clock: systemClock, bus: this.bus };
  }

  async agent(name: string, region: Region = 'northeurope'): Promise<AgentClient & { agentId: string }> {
    const { agentId, token } = await createAgent(this.deps, { name, region });
    return Object.assign(this.client(token), { agentId });
  }

  /** @param port of something in between; default: the service's own */
  client(token: string, port = this.port): AgentClient {
    const client = new AgentClient(port, token);
    this.clients.push(client);
    return client;
  }

  /** Ends the service and leaves its database. */
  async halt(): Promise<void> {
    await this.fleet.stop();
    await this.server.stop(2_000);
    for (const client of this.clients) client.disconnect();
  }

  async stop(): Promise<void> {
    await this.halt();
    await this.test.drop();
  }
}
