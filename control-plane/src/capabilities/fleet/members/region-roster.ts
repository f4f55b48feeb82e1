import type { CheckKind } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { Region } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { Bus } from '../../../platform/coordination/bus.js';
import type { Database } from '../../../platform/db/database.js';
import type { AgentLeases } from './agent-leases.js';
import { candidateOf } from './decide-owner.js';
import type { Ownership } from './ownership.js';
import {
  formerMembershipsAfter,
  changedCapabilities,
  nextMembers,
  needsNewEpoch,
  formerOwnershipOf,
} from './next-membership.js';
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
import { Wake } from '../../../platform/jobs/wake.js';

/** An agent's stream that ends in this process. */
export interface RosterSession {
  readonly agentId: string;
  readonly region: Region;
  /** Of the stream, unlike any other of the agent. */
  readonly sessionId: string;
  /** Kinds of checks that it can run, sorted. */
  readonly capabilities: readonly CheckKind[];
  /** The region's ownership, or what stands in the way of a hand-over, changed. */
  wakeUp(): void;
  /** A newer stream of the agent ends in another process. */
  superseded(): void;
}

export interface RosterOptions {
  region: Region;
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
 * The agents that share one region's checks, seen from one process. Who is a member is in the database, where the
 * processes write what they hold; whichever of them first sees that the members have to change moves the epoch on,
 * under a lock, and the others follow. This process reads again when somebody says so, when somebody's time is up,
 * and now and then.
 */
export class RegionRoster {
  private readonly sessions = new Map<string, RosterSession>();
  /** Up to which epoch each agent of this process has all that it gained. */
  private readonly gained = new Map<string, string>();
  /** Sessions that the members were decided with. */
  private considered = new Set<RosterSession>();
  private agents: readonly RegionAgent[] = [];
  private current: Ownership | undefined;
  private readonly wake = new Wake();
  private isMade = false;
  private stopped = false;

  constructor(private readonly options: RosterOptions) {
    void this.run();
  }

  /** What holds for this session; undefined until the members were decided with it. */
  ownershipFor(session: RosterSession): Ownership | undefined {
    return this.considered.has(session) ? this.current : undefined;
  }

  join(session: RosterSession): void {
    this.gained.delete(session.agentId);
    this.sessions.set(session.agentId, session);
    this.options.leases.take(session);
  }

  leave(session: RosterSession): void {
    // A session that a newer one replaced leaves nothing behind.
    if (this.stopped || this.sessions.get(session.agentId) !== session) return;
    this.sessions.delete(session.agentId);
    this.gained.delete(session.agentId);
    this.options.leases.drop(session);
  }

  /** Something about the members changed: who is connected, awaited, draining or revoked. */
  reconsider(): void {
    this.wake.signal();
  }

  /** The agent has everything that it gained by this epoch. */
  noteGained(session: RosterSession, epoch: string): void {
    if (this.sessions.get(session.agentId) !== session) return;
    this.gained.set(session.agentId, epoch);
    this.options.leases.gain(session, epoch);
    if (this.allGained(epoch)) for (const other of this.sessions.values()) other.wakeUp();
  }

  /** Whether every connected owner has what it gained by this epoch: then those that had it before may let go. */
  allGained(epoch: string): boolean {
    if (this.current?.epoch !== epoch) return false;
    return this.agents.every(({ agentId, isMember, isLive, gainedEpoch }) => {
      if (!isMember) return true;
      const known = this.sessions.has(agentId) ? this.gained.get(agentId) : String(gainedEpoch);
      return known === epoch || (!isLive && !this.sessions.has(agentId));
    });
  }

  /** Whether the agent has acknowledged everything that it gained up to this epoch, as far as is known here. */
  hasGained(agentId: string, epoch: string): boolean {
    const known = this.sessions.has(agentId)
      ? this.gained.get(agentId)
      : this.agents.find((agent) => agent.agentId === agentId)?.gainedEpoch;
    return Number(known ?? -1) >= Number(epoch);
  }

  /** Leaves the members as they are: a stopping process is no reason to move anything. */
  stop(): void {
    this.stopped = true;
    this.wake.signal();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      let waitMs = 60_000;
      try {
        // Without agents here there is nothing to be told, and whoever has some decides.
        if (this.sessions.size > 0) waitMs = await this.settle();
      } catch (error) {
        this.options.metrics.failures.inc();
        this.options.logger.warn(
          { err: error, region: this.options.region },
          'members of a region could not be kept; trying again',
        );
        waitMs = RETRY_MS;
      }
      await this.wake.wait(waitMs);
    }
  }

  /** @returns after how many ms to look again */
  private async settle(): Promise<number> {
    const { db, region, clock, leases, bus, times } = this.options;
    if (!this.isMade) await db.read((tx) => createRegion(tx, region, clock.now()));
    this.isMade = true;
    await leases.renew();
    const sessions = [...this.sessions.values()].filter(({ sessionId }) => leases.isWritten(sessionId));
    let facts = await db.read((tx) => readRegion(tx, this.question()));
    if (needsNewEpoch(facts)) facts = await this.decide();
    if (sessions.length > 0 && !facts.isAlive) throw new Error('this process does not count as alive');
    this.adopt(facts, sessions);
    const deadlines = facts.agents
      .filter(({ isMember, isLive, awaitedMs }) => isMember && !isLive && awaitedMs > 0)
      .map(({ awaitedMs }) => awaitedMs + 5);
    return Math.min(bus.deaf ? times.deafPollMs : times.membershipPollMs, ...deadlines);
  }

  private async decide(): Promise<RegionFacts> {
    const { db, bus, region, metrics, logger } = this.options;
    let moved: Membership | undefined;
    const facts = await db.transaction(async (tx) => {
      moved = undefined;
      await lockRegion(tx, region);
      // Another process may have decided while this one waited.
      const before = await readRegion(tx, this.question());
      if (!needsNewEpoch(before)) return before;
      const learnt = changedCapabilities(before);
      moved = {
        epoch: before.membership.epoch + 1,
        members: nextMembers(before),
        capabilities: { ...before.membership.capabilities, ...learnt },
      };
      await saveMembership(tx, region, moved, learnt, formerMembershipsAfter(before));
      return await readRegion(tx, this.question());
    });
    if (moved) {
      const { epoch, members } = moved;
      metrics.epochs.inc({ region });
      logger.info({ region, epoch, members }, 'the agents that share a region changed');
      bus.publish('region-changed', { region });
    }
    return facts;
  }

  private adopt({ membership, agents, former, nowMs }: RegionFacts, sessions: readonly RosterSession[]): void {
    const epoch = String(membership.epoch);
    const { members, capabilities } = membership;
    if (this.current?.epoch !== epoch)
      this.current = {
        epoch,
        owners: members.map((agentId) => candidateOf(agentId, capabilities[agentId] ?? [])),
        former: former.map((one) => formerOwnershipOf(one, nowMs)),
      };
    this.agents = agents;
    const newest = new Map(agents.map(({ agentId, sessionId }) => [agentId, sessionId]));
    const known = sessions.filter(({ agentId, sessionId }) => newest.get(agentId) === sessionId);
    this.considered = new Set(known);
    for (const session of sessions) if (!this.considered.has(session)) this.lost(session, newest.get(session.agentId));
    for (const session of this.sessions.values()) session.wakeUp();
  }

  private lost(session: RosterSession, newest: string | null | undefined): void {
    // One that is neither member nor connected is not among the facts: it is just leaving.
    if (this.sessions.get(session.agentId) === session && newest) session.superseded();
  }

  private question() {
    const { region, processId, times } = this.options;
    const { leaseMs, departureMs, startupGraceMs } = times;
    return { region, processId, leaseMs, departureMs, graceMs: startupGraceMs };
  }
}
