import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { CheckResult } from '@watchpost/shared/outcome';
import { regionCode, REGIONS, type Region } from '@watchpost/shared/region';
import { MAX_BATCH_RESULTS } from '@watchpost/shared/wire/decode-result-batch';
import {
  PROTOCOL_VERSION,
  type AgentHello,
  type AgentMessage,
  type PlaceEgress,
} from '@watchpost/shared/wire/messages';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Bus } from '../../platform/coordination/bus.js';
import type { RemoteCalls } from '../../platform/coordination/remote-calls.js';
import type { Database } from '../../platform/db/database.js';
import type { AgentIdentity, AssignmentReceiver, AssignmentSink, CredentialEnd } from './agents/agent-connection.js';
import { AgentStatusWatch } from './agents/agent-status-watch.js';
import { findAgentByTokenHash, recordHello, type AdmittedAgent } from './agents/agent-store.js';
import { hashAgentToken } from './agents/agent-token.js';
import { AgentVisibility } from './agents/agent-visibility.js';
import { HeartbeatWriter } from './agents/heartbeat-writer.js';
import { AssignmentSession } from './assignment/assignment-session.js';
import { BoundedReads } from './assignment/bounded-reads.js';
import { ChangeTicks } from './assignment/change-ticks.js';
import type { ReadNewestScheduledTimes } from './assignment/find-handovers.js';
import type { MonitorCheckSource } from '../monitors/index.js';
import { type FleetMetrics, fleetMetrics } from './fleet-metrics.js';
import { FLEET_TIMES, type FleetTimes } from './fleet-times.js';
import { AgentLeases } from './members/agent-leases.js';
import { countConnected } from './members/lease-store.js';
import { RegionRosters } from './members/region-rosters.js';
import { OnDemandRuns, type RunRequest } from './runs/on-demand-runs.js';
import { RemoteRuns } from './runs/remote-runs.js';

/** For reading the members and sending the drain, ms. */
const LEAVE_MARGIN_MS = 1_000;

export interface FleetOptions {
  db: Database;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  bus: Bus;
  /** Identifies this process among those on its database. */
  processId: string;
  /** null without other processes. */
  calls: RemoteCalls | null;
  checks: MonitorCheckSource;
  readNewestScheduledTimes: ReadNewestScheduledTimes;
  times?: Partial<FleetTimes>;
}

interface Connection {
  agent: AgentIdentity;
  session: AssignmentSession;
  sink: AssignmentSink;
}

/** The agents whose streams end in this process: authenticates them, assigns checks to them and runs checks on demand. */
export class Fleet {
  /** By agent id. */
  private readonly connections = new Map<string, Connection>();
  private readonly times: FleetTimes;
  private readonly logger: Logger;
  private readonly metrics: FleetMetrics;
  private readonly statuses: AgentStatusWatch;
  private readonly heartbeats: HeartbeatWriter;
  private readonly visibility: AgentVisibility;
  private readonly leases: AgentLeases;
  private readonly rosters: RegionRosters;
  private readonly ticks: ChangeTicks;
  private readonly reads: BoundedReads;
  private readonly runs: OnDemandRuns;
  private readonly remoteRuns: RemoteRuns;
  private readonly stopWatchingHistory: () => void;

  constructor(private readonly options: FleetOptions) {
    const { db, clock, bus, checks, processId, calls } = options;
    const times = { ...FLEET_TIMES, ...options.times };
    const { leaseMs, renewMs, statusPollMs, heartbeatFlushMs, changePollMs, deafPollMs } = times;
    const logger = options.logger.child({ module: 'fleet' });
    const metrics = fleetMetrics(options.registry);
    this.times = times;
    this.logger = logger;
    this.metrics = metrics;
    const onStatusChange = () => this.rosters.reconsider();
    const onEgress = (agentId: string, egress: PlaceEgress) =>
      void this.connections.get(agentId)?.sink.send({ kind: 'egress', egress });
    this.statuses = new AgentStatusWatch({ db, bus, logger, pollMs: statusPollMs, onChange: onStatusChange, onEgress });
    this.heartbeats = new HeartbeatWriter({ db, clock, logger, flushMs: heartbeatFlushMs });
    this.visibility = new AgentVisibility(logger, metrics);
    this.leases = new AgentLeases({ db, bus, logger, processId, renewMs, leaseMs });
    this.rosters = new RegionRosters({ db, bus, clock, logger, metrics, leases: this.leases, processId, times });
    const onTick = () => this.wakeSessions();
    this.ticks = new ChangeTicks({ db, checks, bus, pollMs: changePollMs, deafPollMs, onTick });
    this.reads = new BoundedReads(db);
    this.runs = new OnDemandRuns(clock, metrics);
    this.remoteRuns = new RemoteRuns({ db, clock, processId, calls, runs: this.runs, leaseMs });
    this.stopWatchingHistory = db.hosts.onNewHistory(() => this.startAnew());
  }

  /** Finds the agent of a token; `spent` if the token was used for an enrolment. */
  async authenticate(token: string): Promise<AgentIdentity | 'unknown' | 'revoked' | 'spent'> {
    const row = await this.options.db.read((tx) => findAgentByTokenHash(tx, hashAgentToken(token)));
    if (!row) return 'unknown';
    return row.spent && row.status !== 'revoked' ? 'spent' : this.admit(row);
  }

  /** Admits an agent whose token or certificate is valid, unless it is revoked. */
  admit(row: AdmittedAgent): AgentIdentity | 'revoked' {
    this.statuses.note(row.id, row);
    if (row.status === 'revoked') return 'revoked';
    const { id: agentId, key: agentKey, name, region, workspaceId, egress } = row;
    const code = row.locationCode ?? regionCode(region as Region);
    return { agentId, agentKey, name, region, code, workspaceId, egress };
  }

  /**
   * Calls back once when the agent's credential is not valid any more.
   * @returns a function that ends the watch
   */
  watchRevocation(agent: AgentIdentity, onRevoked: (reason: CredentialEnd) => void): () => void {
    return this.statuses.onRevoked(agent.agentId, onRevoked);
  }

  openSession(agent: AgentIdentity, hello: AgentHello, sink: AssignmentSink): AssignmentReceiver {
    const { agentId, region } = agent;
    const { heartbeatMs, departureMs, handoverMs } = this.times;
    const replaced = this.connections.get(agentId);
    const session = this.createSession(agent, hello, sink);
    const connection: Connection = { agent, session, sink };
    this.connections.set(agentId, connection);
    replaced?.sink.end('replaced', 'A newer stream of this agent took over.');
    this.logger.info({ agentId, region, agentName: agent.name, version: hello.agentVersion }, 'agent connected');
    void sink.send({
      kind: 'welcome',
      agentId,
      region,
      protocolVersion: PROTOCOL_VERSION,
      settings: {
        heartbeatMs,
        maxBatchResults: MAX_BATCH_RESULTS,
        leaveWithinMs: departureMs + handoverMs + LEAVE_MARGIN_MS,
      },
      databaseHistory: this.options.db.hosts.history,
      ...(agent.egress && { egress: agent.egress }),
    });
    this.runs.addAgent(agentId, region, hello.capabilities, sink);
    this.rosters.of(region).join(session);
    void session.run();
    void this.recordHello(agent, hello);
    this.updateGauges();
    return { receive: (message) => this.receive(connection, message), closed: () => this.close(connection) };
  }

  /**
   * Runs a check once, now, on an agent of the region. The result is not stored.
   * @throws Fault `unavailable` if no agent can run the check, or none answers within `timeoutMs`; `rate_limited` if the
   * owner of the check already uses its whole share
   */
  runNow(request: RunRequest): Promise<CheckResult> {
    return this.remoteRuns.run(request);
  }

  async countConnected(): Promise<number> {
    if (this.connections.size > 0) return this.connections.size;
    return await this.options.db.read((tx) => countConnected(tx, this.times.leaseMs));
  }

  /** Counts the agents of each region that are connected to this process. */
  connectedAgents(): Record<Region, number> {
    const counts = Object.fromEntries(REGIONS.map(({ name }) => [name, 0])) as Record<Region, number>;
    for (const { agent } of this.connections.values()) if (agent.workspaceId === null) counts[agent.region as Region]++;
    return counts;
  }

  /** Stops the sessions. Called before the streams are ended, so that the agents of a stopping process keep their checks. */
  async stop(): Promise<void> {
    this.stopWatchingHistory();
    this.ticks.stop();
    this.rosters.stop();
    for (const { agent, session } of this.connections.values()) {
      session.close();
      this.runs.removeAgent(agent.agentId);
    }
    await Promise.all([this.statuses.stop(), this.heartbeats.flush(), this.leases.stop()]);
  }

  /**
   * Ends all streams, because the database continues on another timeline: what was read of its leases, epochs and revisions
   * may not exist there. The agents connect again and are assigned their checks anew.
   */
  private startAnew(): void {
    const reason = 'The database has moved.';
    for (const { session, sink } of this.connections.values()) {
      session.close();
      void sink.send({ kind: 'drain', reason });
      sink.end('stopping', `${reason} Connect again.`);
    }
    this.rosters.reconsider();
  }

  private createSession(agent: AgentIdentity, hello: AgentHello, sink: AssignmentSink): AssignmentSession {
    const { options, logger, metrics, ticks } = this;
    const { db, clock, checks, readNewestScheduledTimes } = options;
    return new AssignmentSession(agent, hello, sink, {
      sessionId: newId(clock.now()),
      reads: this.reads,
      databaseHistory: db.hosts.history,
      clock,
      checks,
      readNewestScheduledTimes,
      logger,
      metrics,
      roster: this.rosters.of(agent.region),
      latestTick: () => ticks.latest,
      handoverMs: this.times.handoverMs,
    });
  }

  private receive({ agent, session, sink }: Connection, message: AgentMessage): void {
    switch (message.kind) {
      case 'revisionAck':
        session.acknowledge();
        break;
      case 'heartbeat':
        this.heartbeats.note(agent.agentId, message.heartbeat);
        session.noteCount(message.heartbeat.checks);
        this.visibility.note(agent, message.heartbeat.visibility);
        break;
      case 'leaving':
        this.logger.info({ agentId: agent.agentId, region: agent.region, agentName: agent.name }, 'agent leaves');
        this.runs.removeAgent(agent.agentId, sink);
        session.leave();
        break;
      case 'runResult':
        this.runs.receive(agent.agentId, message);
        break;
    }
  }

  private close(connection: Connection): void {
    const { agent, session, sink } = connection;
    const { agentId, region, name } = agent;
    session.close();
    this.runs.removeAgent(agentId, sink);
    if (this.connections.get(agentId) !== connection) return;
    this.connections.delete(agentId);
    this.visibility.forget(agentId);
    this.rosters.of(region).leave(session);
    this.logger.info({ agentId, region, agentName: name }, 'agent disconnected');
    this.updateGauges();
  }

  private async recordHello({ agentId }: AgentIdentity, hello: AgentHello): Promise<void> {
    try {
      await this.options.db.read((tx) => recordHello(tx, agentId, hello, this.options.clock.now()));
    } catch (error) {
      this.logger.warn({ err: error, agentId }, 'the version of an agent could not be stored');
    }
  }

  private wakeSessions(): void {
    for (const { session } of this.connections.values()) session.wakeUp();
    this.updateGauges();
  }

  private updateGauges(): void {
    this.metrics.readsWaiting.set(this.reads.depth);
    const connections = [...this.connections.values()];
    this.metrics.setConnected(
      connections.map(({ agent, session }) => ({ region: agent.region, checks: session.size })),
    );
  }
}
