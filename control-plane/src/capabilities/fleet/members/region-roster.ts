import type { CheckKind } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { Place } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { Bus } from '../../../platform/coordination/bus.js';
import type { Database } from '../../../platform/db/database.js';
import type { AgentLeases } from './agent-leases.js';
import { candidateOf, type Ownership } from './decide-owner.js';
import { epochDueInMs, joiningAgents } from './decide-epoch-start.js';
import { formerMembershipsAfter, changedCapabilities, nextMembers, formerOwnershipOf } from './next-membership.js';
import type { FleetMetrics } from '../fleet-metrics.js';
import type { FleetTimes } from '../fleet-times.js';
import {
  lockRegion,
  createRegion,
  type Membership,
  readRegion,
  type RegionAgent,
  type RegionFacts,
  saveMembership,
} from './region-store.js';
import { untilBeat } from '../../../platform/jobs/beat.js';
import { Wake } from '../../../platform/jobs/wake.js';

/** An agent's assignment stream that ends in this process. */
export interface RosterSession {
  readonly agentId: string;
  readonly region: Place;
  /** Identifies the stream among all streams of the agent. */
  readonly sessionId: string;
  /** The kinds of checks that the agent can run, sorted. */
  readonly capabilities: readonly CheckKind[];
  /** Called when the region's ownership changed, or a handover may have become possible. */
  wakeUp(): void;
  /** Called when a newer stream of the agent ends in another process. */
  superseded(): void;
}

export interface RosterOptions {
  region: Place;
  db: Database;
  bus: Bus;
  clock: Clock;
  logger: Logger;
  metrics: FleetMetrics;
  leases: AgentLeases;
  processId: string;
  times: FleetTimes;
}

const RETRY_MS = 1_000;

/**
 * The membership of one region, as one process sees it. The members and the leases of all processes are in the database.
 * The first process that finds a change of members due starts a new epoch under a lock, and the others adopt it. Each
 * process reads the region again when another one announces a change, when an awaited agent's time is over, and
 * periodically.
 */
export class RegionRoster {
  private readonly sessions = new Map<string, RosterSession>();
  /** Those of `sessions` whose agents are about to stop: to all processes they are not connected any more. */
  private readonly leaving = new Set<RosterSession>();
  /** For each agent of this process, the newest epoch of which it has taken over all its checks. */
  private readonly takenOver = new Map<string, string>();
  /** The sessions that were known when the present members were decided. */
  private considered = new Set<RosterSession>();
  private agents: readonly RegionAgent[] = [];
  private current: Ownership | undefined;
  private readonly wake = new Wake();
  /** The history of the database in which the region was created and its members were read. */
  private createdIn: string | undefined;
  private readIn: string | undefined;
  private stopped = false;

  constructor(private readonly options: RosterOptions) {
    void this.run();
  }

  /** The ownership that applies to a session; undefined until the members are decided with it, which gathers joins. */
  ownershipFor(session: RosterSession): Ownership | undefined {
    return this.considered.has(session) ? this.current : undefined;
  }

  join(session: RosterSession): void {
    this.takenOver.delete(session.agentId);
    this.sessions.set(session.agentId, session);
    this.options.leases.take(session);
  }

  /** The agent is about to stop: its checks go to other agents, and it keeps them until these have taken them over. */
  depart(session: RosterSession): void {
    if (this.stopped || this.sessions.get(session.agentId) !== session) return;
    this.leaving.add(session);
    this.options.leases.drop(session);
  }

  /** Whether a leaving agent is no member any more, or nobody is connected who could be one in its place. */
  hasDeparted(session: RosterSession): boolean {
    if (!this.leaving.has(session) || !this.considered.has(session)) return false;
    const own = this.agents.find(({ agentId }) => agentId === session.agentId);
    return !own?.isMember || this.agents.every(({ isLive }) => !isLive);
  }

  leave(session: RosterSession): void {
    this.leaving.delete(session);
    // A newer session of the agent is registered.
    if (this.stopped || this.sessions.get(session.agentId) !== session) return;
    this.sessions.delete(session.agentId);
    this.takenOver.delete(session.agentId);
    this.options.leases.drop(session);
  }

  /** Reads the region again: an agent was connected, lost, drained or revoked. */
  reconsider(): void {
    this.wake.signal();
  }

  /** Records that the agent has taken over all checks that it gained in this epoch. */
  noteTakeover(session: RosterSession, epoch: string): void {
    if (this.sessions.get(session.agentId) !== session) return;
    this.takenOver.set(session.agentId, epoch);
    this.options.leases.noteTakeover(session, epoch);
    if (this.isTakenOver(epoch)) for (const other of this.sessions.values()) other.wakeUp();
  }

  /** Whether every connected member has taken over its checks of this epoch, so that the former owners may release them. */
  isTakenOver(epoch: string): boolean {
    if (this.current?.epoch !== epoch) return false;
    return this.agents.every(({ agentId, isMember, isLive, takenOverEpoch }) => {
      if (!isMember) return true;
      const newest = this.sessions.has(agentId) ? this.takenOver.get(agentId) : String(takenOverEpoch);
      return newest === epoch || (!isLive && !this.sessions.has(agentId));
    });
  }

  /** Whether this process knows that the agent has taken over all its checks of this epoch or a newer one. */
  hasTakenOver(agentId: string, epoch: string): boolean {
    const newest = this.sessions.has(agentId)
      ? this.takenOver.get(agentId)
      : this.agents.find((agent) => agent.agentId === agentId)?.takenOverEpoch;
    return Number(newest ?? -1) >= Number(epoch);
  }

  /** Keeps the members: the agents of a stopping process return elsewhere. */
  stop(): void {
    this.stopped = true;
    this.wake.signal();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      let waitMs = 60_000;
      try {
        // A process without agents of the region leaves decisions to those that have some.
        if (this.sessions.size > 0) waitMs = await this.update();
      } catch (error) {
        this.options.metrics.failures.inc();
        this.options.logger.warn(
          { err: error, region: this.options.region },
          'the members of a region could not be read or decided; trying again',
        );
        waitMs = RETRY_MS;
      }
      await this.wake.wait(waitMs);
    }
  }

  /** @returns in how many ms the region has to be read again */
  private async update(): Promise<number> {
    const { db, region, clock, leases, bus, times } = this.options;
    const { history } = db.hosts;
    if (this.createdIn !== history) await db.read((tx) => createRegion(tx, region, clock.now()));
    this.createdIn = history;
    await leases.renew();
    const sessions = [...this.sessions.values()].filter(
      (session) => leases.isWritten(session.sessionId) || this.leaving.has(session),
    );
    let facts = await db.read((tx) => readRegion(tx, this.query()));
    let dueInMs = epochDueInMs(facts, times);
    if (dueInMs === 0) {
      facts = await this.decide();
      dueInMs = epochDueInMs(facts, times);
    }
    if (sessions.length > 0 && !facts.isAlive) throw new Error('this process does not count as alive');
    if (db.hosts.history !== history) throw new Error('the database has moved meanwhile');
    this.adopt(facts, sessions, history);
    const deadlines = facts.agents
      .filter(({ isMember, isLive, awaitedMs }) => isMember && !isLive && awaitedMs > 0)
      .map(({ awaitedMs }) => awaitedMs + 5);
    if (dueInMs !== undefined) deadlines.push(dueInMs + 1);
    return Math.min(untilBeat(bus.deaf ? times.deafPollMs : times.membershipPollMs), ...deadlines);
  }

  private async decide(): Promise<RegionFacts> {
    const { db, bus, region, metrics, logger, times } = this.options;
    let decided: Membership | undefined;
    const facts = await db.transaction(async (tx) => {
      decided = undefined;
      await lockRegion(tx, region);
      // Another process may have decided while this one waited for the lock.
      const before = await readRegion(tx, this.query());
      if (epochDueInMs(before, times) !== 0) return before;
      const changed = changedCapabilities(before);
      decided = {
        epoch: before.membership.epoch + 1,
        members: nextMembers(before),
        capabilities: { ...before.membership.capabilities, ...changed },
      };
      await saveMembership(tx, region, decided, changed, formerMembershipsAfter(before));
      return await readRegion(tx, this.query());
    });
    if (decided) {
      const { epoch, members } = decided;
      metrics.epochs.inc({ region });
      logger.info({ region, epoch, members }, 'the members of a region changed');
      bus.publish('region-changed', { region });
    }
    return facts;
  }

  private adopt(facts: RegionFacts, sessions: readonly RosterSession[], history: string): void {
    const { membership, agents, former, nowMs } = facts;
    const epoch = String(membership.epoch);
    const { members, capabilities } = membership;
    // Another history may have given the same number to an epoch with other members.
    if (this.current?.epoch !== epoch || this.readIn !== history)
      this.current = {
        epoch,
        owners: members.map((agentId) => candidateOf(agentId, capabilities[agentId] ?? [])),
        former: former.map((membership) => formerOwnershipOf(membership, nowMs)),
      };
    this.readIn = history;
    this.agents = agents;
    const newest = new Map(agents.map(({ agentId, sessionId }) => [agentId, sessionId]));
    // An agent that has left is neither a member nor connected, so that it has no newest stream.
    const isConsidered = (session: RosterSession) =>
      (newest.get(session.agentId) ?? (this.leaving.has(session) && session.sessionId)) === session.sessionId;
    // An agent that is about to join keeps what it has until then: otherwise it would drop checks that it may get back.
    const joining = new Set(joiningAgents(facts).map(({ agentId }) => agentId));
    const waits = (session: RosterSession) => joining.has(session.agentId) && !this.considered.has(session);
    this.considered = new Set(sessions.filter((session) => isConsidered(session) && !waits(session)));
    for (const session of sessions) {
      // An agent that is just leaving is neither a member nor connected, and so has no newest stream here.
      const isSuperseded = !isConsidered(session) && newest.get(session.agentId);
      if (isSuperseded && this.sessions.get(session.agentId) === session) session.superseded();
    }
    for (const session of this.sessions.values()) session.wakeUp();
  }

  private query() {
    const { region, processId, times } = this.options;
    const { leaseMs, departureMs, startupGraceMs } = times;
    return { region, processId, leaseMs, departureMs, graceMs: startupGraceMs };
  }
}
