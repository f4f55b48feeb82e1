import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { CheckResult } from '@watchpost/shared/outcome';
import { REGIONS, type Region } from '@watchpost/shared/region';
import { MAX_BATCH_RESULTS } from '@watchpost/shared/wire/decode-result-batch';
import { PROTOCOL_VERSION, type AgentHello, type AgentMessage } from '@watchpost/shared/wire/messages';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Bus } from '../../platform/coordination/bus.js';
import type { Database } from '../../platform/db/database.js';
import {
  type AgentGateway,
  type AgentIdentity,
  type AssignmentSession as SessionFace,
  type AssignmentSink,
  type CredentialEnd,
} from '../../platform/grpc/index.js';
import type { RemoteCalls } from '../../platform/coordination/remote-calls.js';
import { AgentLeases } from './members/agent-leases.js';
import { HeartbeatWriter } from './agents/heartbeat-writer.js';
import { AgentVisibility } from './agents/agent-visibility.js';
import { AgentStatusWatch } from './agents/agent-status-watch.js';
import { findAgentByTokenHash, recordHello, type AgentRow, type AgentCredentialState } from './agents/agent-store.js';
import { hashAgentToken } from './agents/agent-token.js';
import { AssignmentSession } from './assignment/assignment-session.js';
import { ChangeTicks } from './assignment/change-ticks.js';
import type { NewestDue } from './assignment/find-handovers.js';
import { FleetMetrics } from './fleet-metrics.js';
import { FLEET_TIMES, type FleetTimes } from './fleet-times.js';
import type { MonitorCheckSource } from './assignment/monitor-checks.js';
import { countConnected } from './members/lease-store.js';
import { OnDemandRuns, type RunRequest } from './runs/on-demand-runs.js';
import { RegionRosters } from './members/region-rosters.js';
import { RemoteRuns } from './runs/remote-runs.js';
import { SharedWalks } from './assignment/shared-walks.js';

export interface FleetOptions {
  db: Database;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  bus: Bus;
  /** Of this process, for the others on its database. */
  processId: string;
  /** null in a process that is alone. */
  calls: RemoteCalls | null;
  checks: MonitorCheckSource;
  newestDue: NewestDue;
  times?: Partial<FleetTimes>;
}

interface Connection {
  agent: AgentIdentity;
  session: AssignmentSession;
  sink: AssignmentSink;
}

/** The agents whose streams end in this process: who they are, what they check, and what they are asked to run at once. */
export class Fleet implements AgentGateway {
  private readonly connections = new Map<string, Connection>();
  private readonly times: FleetTimes;
  private readonly logger: Logger;
  private readonly metrics: FleetMetrics;
  private readonly ticks: ChangeTicks;
  private readonly statuses: AgentStatusWatch;
  private readonly heartbeats: HeartbeatWriter;
  private readonly visibility: AgentVisibility;
  private readonly runs: OnDemandRuns;
  private readonly remoteRuns: RemoteRuns;
  private readonly leases: AgentLeases;
  private readonly rosters: RegionRosters;
  private readonly walks: SharedWalks;

  constructor(private readonly options: FleetOptions) {
    const { db, clock, bus, checks, processId, calls } = options;
    this.times = { ...FLEET_TIMES, ...options.times };
    this.logger = options.logger.child({ module: 'fleet' });
    const { logger } = this;
    this.metrics = new FleetMetrics(options.registry);
    const { leaseMs, renewMs } = this.times;
    this.runs = new OnDemandRuns(clock, this.metrics);
    this.walks = new SharedWalks({ db, checks });
    this.remoteRuns = new RemoteRuns({ db, clock, processId, calls, runs: this.runs, leaseMs });
    this.leases = new AgentLeases({ db, bus, logger, processId, renewMs, leaseMs });
    const { metrics, leases, times } = this;
    this.rosters = new RegionRosters({ db, bus, clock, logger, metrics, leases, processId, times });
    this.visibility = new AgentVisibility(logger, this.metrics);
    this.heartbeats = new HeartbeatWriter({ db, clock, logger, flushMs: this.times.heartbeatFlushMs });
    this.statuses = new AgentStatusWatch({
      db,
      bus,
      logger,
      pollMs: this.times.statusPollMs,
      onChange: () => this.rosters.reconsider(),
    });
    this.ticks = new ChangeTicks({
      db,
      checks,
      bus,
      pollMs: this.times.changePollMs,
      deafPollMs: this.times.deafPollMs,
      onTick: () => {
        for (const { session } of this.connections.values()) session.wakeUp();
        this.gauge();
      },
    });
  }

  async authenticate(token: string): Promise<AgentIdentity | 'unknown' | 'revoked' | 'spent'> {
    const row = await this.options.db.read((tx) => findAgentByTokenHash(tx, hashAgentToken(token)));
    if (!row) return 'unknown';
    return row.spent && row.status !== 'revoked' ? 'spent' : this.admit(row);
  }

  /** An agent whose credential was found good. */
  admit(row: AgentRow & AgentCredentialState): AgentIdentity | 'revoked' {
    this.statuses.note(row.id, row);
    if (row.status === 'revoked') return 'revoked';
    return { agentId: row.id, agentKey: row.key, name: row.name, region: row.region };
  }

  watchRevocation(agent: AgentIdentity, onRevoked: (why: CredentialEnd) => void): () => void {
    return this.statuses.onRevoked(agent.agentId, onRevoked);
  }

  openSession(agent: AgentIdentity, hello: AgentHello, sink: AssignmentSink): SessionFace {
    const { db, clock, checks, newestDue } = this.options;
    const { logger, metrics, times } = this;
    const { agentId, region } = agent;
    const replaced = this.connections.get(agentId);
    const roster = this.rosters.of(region);
    const deps = {
      sessionId: newId(clock.now()),
      db,
      clock,
      checks,
      logger,
      metrics,
      roster,
      walks: this.walks,
      newestDue,
      latestTick: () => this.ticks.latest,
      handOverMs: times.handOverMs,
    };
    const session = new AssignmentSession(agent, hello, sink, deps);
    const connection: Connection = { agent, session, sink };
    this.connections.set(agentId, connection);
    replaced?.sink.end('replaced', 'A newer stream of this agent took over.');
    logger.info({ agentId, region, agentName: agent.name, version: hello.agentVersion }, 'agent connected');
    void sink.send({
      kind: 'welcome',
      agentId,
      region,
      protocolVersion: PROTOCOL_VERSION,
      settings: { heartbeatMs: times.heartbeatMs, maxBatchResults: MAX_BATCH_RESULTS },
    });
    this.runs.addAgent(agentId, region, hello.capabilities, sink);
    roster.join(session);
    void session.run();
    void this.recordHello(agent, hello);
    this.gauge();
    return { receive: (message) => this.receive(connection, message), closed: () => this.close(connection) };
  }

  /**
   * Runs a check once, now, on an agent of the region. It is counted nowhere.
   * @throws Fault `unavailable` where no agent can run it, or none answers within `timeoutMs`; `rate_limited` where the
   * owner of the check has its whole share running
   */
  runNow(request: RunRequest): Promise<CheckResult> {
    return this.remoteRuns.run(request);
  }

  /** How many agents are connected, over all processes. */
  async countConnected(): Promise<number> {
    if (this.connections.size > 0) return this.connections.size;
    return await this.options.db.read((tx) => countConnected(tx, this.times.leaseMs));
  }

  /** How many agents of each region are connected to this process. */
  connectedAgents(): Record<Region, number> {
    const counts = Object.fromEntries(REGIONS.map(({ name }) => [name, 0])) as Record<Region, number>;
    for (const { agent } of this.connections.values()) counts[agent.region]++;
    return counts;
  }

  /** Call it before the streams are ended: agents that go because this process stops keep their checks. */
  async stop(): Promise<void> {
    this.ticks.stop();
    this.statuses.stop();
    this.rosters.stop();
    for (const { agent, session } of this.connections.values()) {
      session.close();
      this.runs.removeAgent(agent.agentId);
    }
    await Promise.all([this.heartbeats.flush(), this.leases.stop()]);
  }

  private receive({ agent, session }: Connection, message: AgentMessage): void {
    switch (message.kind) {
      case 'revisionAck':
        session.acknowledge();
        break;
      case 'heartbeat':
        this.heartbeats.note(agent.agentId, message.heartbeat);
        this.visibility.note(agent, message.heartbeat.visibility);
        break;
      case 'runResult':
        this.runs.receive(agent.agentId, message);
        break;
    }
  }

  private close(connection: Connection): void {
    const { agent, session, sink } = connection;
    session.close();
    this.runs.removeAgent(agent.agentId, sink);
    if (this.connections.get(agent.agentId) !== connection) return;
    this.connections.delete(agent.agentId);
    this.visibility.forget(agent.agentId);
    this.rosters.of(agent.region).leave(session);
    this.logger.info({ agentId: agent.agentId, region: agent.region, agentName: agent.name }, 'agent disconnected');
    this.gauge();
  }

  private async recordHello(agent: AgentIdentity, hello: AgentHello): Promise<void> {
    try {
      await this.options.db.read((tx) => recordHello(tx, agent.agentId, hello.agentVersion, this.options.clock.now()));
    } catch (error) {
      this.logger.warn({ err: error, agentId: agent.agentId }, 'the version of an agent could not be written');
    }
  }

  private gauge(): void {
    this.metrics.show(
      [...this.connections.values()].map(({ agent, session }) => ({ region: agent.region, checks: session.size })),
    );
  }
}
