import { createHash } from 'node:crypto';
import { Registry } from 'prom-client';
import { pino } from 'pino';
import { systemClock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { Bus } from '@watchpost/control-plane/platform/coordination/bus';
import {
  type Coordination,
  localCoordination,
  redisCoordination,
} from '@watchpost/control-plane/platform/coordination/coordination';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { entities, migrations } from '@watchpost/control-plane/app/schema';
import { AgentService, createAgent, Fleet } from '@watchpost/control-plane/capabilities/fleet/index';
import type { MonitorCheckSource } from '@watchpost/control-plane/capabilities/monitors/index';
import type { ReportingAgent } from '@watchpost/control-plane/capabilities/results/index';
import type { FleetTimes } from '@watchpost/control-plane/capabilities/fleet/fleet-times';
import { ResultSink } from '@watchpost/control-plane/capabilities/results/index';
import { IngestMetrics } from '@watchpost/control-plane/capabilities/results/index';
import { ServiceHealth, startGrpcServer, type GrpcServer } from '@watchpost/control-plane/platform/grpc/index';
import type { Handover } from '@watchpost/shared/wire/messages';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { AgentClient } from './agent-client.js';
import { CheckTable } from './check-table.js';

export interface FleetServiceOptions {
  times?: Partial<FleetTimes>;
  keepalive?: { timeMs: number; timeoutMs: number };
  ingest?: (results: readonly CheckResult[], agent: ReportingAgent) => Promise<void>;
  /** In place of the table of checks. */
  checks?: (db: Database) => MonitorCheckSource;
  /** The newest scheduled time that has a result, for monitors that have one. */
  newestScheduledTimes?: (monitorKeys: readonly number[]) => Handover[];
  /** A former service whose database this one uses, as after a restart. */
  after?: FleetService;
  /** A running service whose database this one shares, as another process. */
  beside?: FleetService;
  /** The bus between the processes. */
  redisUrl?: string;
}

/** The fleet and its gRPC server, composed as in the control plane, on a separate database. */
export class FleetService {
  private readonly clients: AgentClient[] = [];

  private constructor(
    readonly test: TestDatabase,
    readonly coordination: Coordination,
    /** Belongs to this process, like its bus. */
    private readonly db: Database,
    readonly checks: CheckTable,
    readonly fleet: Fleet,
    readonly resultSink: ResultSink,
    readonly registry: Registry,
    private readonly server: GrpcServer,
  ) {}

  static async start(options: FleetServiceOptions = {}): Promise<FleetService> {
    const { after, beside, redisUrl } = options;
    const test = (after ?? beside)?.test ?? (await createTestDatabase());
    const logger = pino({ level: process.env.FLEET_TEST_LOG ?? 'silent' });
    const registry = new Registry();
    const db = await Database.open({
      url: test.url,
      poolSize: 10,
      connectTimeoutMs: PATIENCE_MS,
      entities,
      migrations,
      logger,
    });
    const secretBox = createSecretBox(createHash('sha256').update(test.url).digest());
    const installationId = test.url;
    const coordination = redisUrl
      ? await redisCoordination({ url: redisUrl, installationId, clock: systemClock, logger, registry, secretBox })
      : localCoordination(systemClock);
    const { bus, processId, calls } = coordination;
    const checks = new CheckTable(db, bus);
    if (!after && !beside) await checks.make();
    const fleet = new Fleet({
      db,
      clock: systemClock,
      logger,
      registry,
      bus,
      processId,
      calls,
      checks: options.checks?.(db) ?? checks,
      readNewestScheduledTimes: async (_tx, _region, keys) => options.newestScheduledTimes?.(keys) ?? [],
      times: {
        departureMs: 200,
        startupGraceMs: 1_000,
        statusPollMs: 100,
        heartbeatFlushMs: 50,
        joinQuietMs: 20,
        joinMostMs: 200,
        joinBusyMs: 1_000,
        ...options.times,
      },
    });
    const resultSink = new ResultSink({
      db,
      clock: systemClock,
      logger,
      metrics: new IngestMetrics(registry),
      joiner: { ingest: async (agent, results) => options.ingest?.(results, agent) },
    });
    const keepalive = options.keepalive ? { keepalive: options.keepalive } : {};
    const server = await startGrpcServer({
      host: '127.0.0.1',
      port: 0,
      tls: null,
      agents: new AgentService({ fleet, certificates: null, resultSink, clock: systemClock, logger, registry }),
      health: new ServiceHealth({ services: { '': true }, isReady: () => Promise.resolve(true) }),
      clock: systemClock,
      logger,
      registry,
      ...keepalive,
    });
    return new FleetService(test, coordination, db, checks, fleet, resultSink, registry, server);
  }

  get port(): number {
    return this.server.port;
  }

  /** Waits until every agent of the region has taken over its checks: one that leaves earlier causes more handovers. */
  async settled(region: Region = 'northeurope'): Promise<void> {
    await eventually(
      'everybody has acknowledged the epoch',
      async () => {
        const [found] = await this.test.sql<{ settled: boolean | null }>(
          `SELECT every(lease.taken_over_epoch IS NOT DISTINCT FROM region.epoch) AS settled
               FROM fleet_region region LEFT JOIN fleet_lease lease ON lease.agent_id = ANY(region.members)
              WHERE region.region = $1`,
          [region],
        );
        return found?.settled || undefined;
      },
      PATIENCE_MS,
      20,
    );
  }

  get bus(): Bus {
    return this.coordination.bus;
  }

  get deps() {
    return { db: this.test.database, clock: systemClock, bus: this.bus };
  }

  async agent(name: string, region: Region = 'northeurope'): Promise<AgentClient & { agentId: string }> {
    const { agentId, token } = await createAgent(this.deps, { name, region });
    return Object.assign(this.client(token), { agentId });
  }

  /** @param port of a proxy; default: the service's own port */
  client(token: string, port = this.port): AgentClient {
    const client = new AgentClient(port, token);
    this.clients.push(client);
    return client;
  }

  /** Stops the service and keeps its database. */
  async halt(cutAfterMs = 2_000): Promise<void> {
    await this.fleet.stop();
    await this.server.stop(cutAfterMs);
    for (const client of this.clients) client.disconnect();
    this.coordination.close();
    await this.db.close();
  }

  /** Like kill -9: its streams break, and it writes nothing more. */
  async crash(): Promise<void> {
    this.coordination.close();
    await this.db.close();
    await this.server.stop(0);
    await this.fleet.stop();
  }

  async stop(): Promise<void> {
    await this.halt();
    await this.test.drop();
  }
}
