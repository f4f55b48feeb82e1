import type { Clock } from '@watchpost/shared/clock';
import type { CheckKind } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { Database } from '../db/database.js';
import { decideMembers } from './decide-members.js';
import { candidateOf, type Candidate } from './decide-owner.js';
import type { FleetMetrics } from './fleet-metrics.js';
import { capabilitiesOf, lockMembership, saveCapabilities, saveMembership, type Membership } from './region-store.js';
import { Wake } from './wake.js';

/** Who owns what in a region, at one epoch. */
export interface Ownership {
  readonly epoch: string;
  readonly owners: readonly Candidate[];
}

/** A member of the roster that is connected. */
export interface RosterSession {
  readonly agentId: string;
  /** Kinds of checks that it can run, sorted. */
  readonly capabilities: readonly CheckKind[];
  /** The region's ownership, or what stands in the way of a hand-over, changed. */
  wakeUp(): void;
}

export interface RosterOptions {
  region: Region;
  db: Database;
  clock: Clock;
  logger: Logger;
  metrics: FleetMetrics;
  /** How long a member whose stream broke is waited for before its checks move, ms. */
  departureMs: number;
  /** How long members are waited for after a start of this process, ms. */
  startupGraceMs: number;
  learnStatuses: (agentIds: readonly string[]) => Promise<void>;
  isDraining: (agentId: string) => boolean;
  isRevoked: (agentId: string) => boolean;
}

const RETRY_MS = 1_000;

/** The agents that share one region's checks: who is connected, who is awaited, and the epoch that follows from it. */
export class RegionRoster {
  private readonly sessions = new Map<string, RosterSession>();
  private readonly awaited = new Map<string, NodeJS.Timeout>();
  /** Up to which epoch each connected agent has all that it gained. */
  private readonly gained = new Map<string, string>();
  /** Sessions that the members were decided with. */
  private considered = new Set<RosterSession>();
  private readonly wake = new Wake();
  private membership: Membership | undefined;
  private current: Ownership | undefined;
  private stopped = false;

  constructor(private readonly options: RosterOptions) {
    void this.run();
  }

  /** What holds for this session; undefined until the members were decided with it. */
  ownershipFor(session: RosterSession): Ownership | undefined {
    return this.considered.has(session) ? this.current : undefined;
  }

  join(session: RosterSession): void {
    clearTimeout(this.awaited.get(session.agentId));
    this.awaited.delete(session.agentId);
    this.gained.delete(session.agentId);
    this.sessions.set(session.agentId, session);
    this.reconsider();
  }

  leave(session: RosterSession): void {
    // A session that a newer one replaced leaves nothing behind.
    if (this.stopped || this.sessions.get(session.agentId) !== session) return;
    this.sessions.delete(session.agentId);
    this.gained.delete(session.agentId);
    this.waitFor(session.agentId, this.options.departureMs);
    this.reconsider();
  }

  /** Something about the members changed: who is connected, awaited, draining or revoked. */
  reconsider(): void {
    this.wake.signal();
  }

  /** The agent has everything that it gained by this epoch. */
  noteGained(agentId: string, epoch: string): void {
    this.gained.set(agentId, epoch);
    for (const session of this.sessions.values()) session.wakeUp();
  }

  /** Whether every connected owner has what it gained by this epoch: then those that had it before may let go. */
  allGained(epoch: string): boolean {
    if (this.current?.epoch !== epoch) return false;
    return this.current.owners.every(
      ({ agentId }) => !this.sessions.has(agentId) || this.gained.get(agentId) === epoch,
    );
  }

  /** Leaves the members as they are: a stopping process is no reason to move anything. */
  stop(): void {
    this.stopped = true;
    for (const timer of this.awaited.values()) clearTimeout(timer);
    this.wake.signal();
  }

  private waitFor(agentId: string, ms: number): void {
    clearTimeout(this.awaited.get(agentId));
    const timer = setTimeout(() => {
      this.awaited.delete(agentId);
      this.reconsider();
    }, ms);
    this.awaited.set(agentId, timer);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      let waitMs = 60_000;
      try {
        if (!this.membership) await this.load();
        await this.settle();
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

  private async load(): Promise<void> {
    const { db, region, clock } = this.options;
    const membership = await db.transaction((tx) => lockMembership(tx, region, clock.now()));
    await this.options.learnStatuses(membership.members);
    for (const agentId of membership.members) {
      if (!this.sessions.has(agentId)) this.waitFor(agentId, this.options.startupGraceMs);
    }
    this.membership = { ...membership, members: membership.members.toSorted() };
  }

  private async settle(): Promise<void> {
    const { db, region, clock, metrics, logger, isDraining, isRevoked } = this.options;
    const { members, capabilities } = this.membership!;
    const considered = new Set(this.sessions.values());
    const connected = [...this.sessions.keys()];
    const next = decideMembers({
      members,
      live: connected.map((agentId) => ({ agentId, draining: isDraining(agentId) })),
      awaited: new Set(this.awaited.keys()),
      revoked: new Set([...members, ...connected].filter(isRevoked)),
    });
    const learnt = next.flatMap((agentId) => {
      const kinds = this.sessions.get(agentId)?.capabilities;
      return kinds && kinds.join() !== capabilities[agentId]?.join() ? [[agentId, kinds] as const] : [];
    });
    if (next.join() === members.join() && learnt.length === 0) {
      this.adopt(this.membership!, considered);
      return;
    }
    const membership = await db.transaction(async (tx) => {
      const { epoch } = await lockMembership(tx, region, clock.now());
      const moved = { epoch: epoch + 1, members: next };
      await saveMembership(tx, region, moved);
      await saveCapabilities(tx, Object.fromEntries(learnt));
      return { ...moved, capabilities: await capabilitiesOf(tx, next) };
    });
    metrics.epochs.inc({ region });
    logger.info({ region, epoch: membership.epoch, members: next }, 'the agents that share a region changed');
    this.adopt(membership, considered);
  }

  private adopt(membership: Membership, considered: Set<RosterSession>): void {
    this.membership = membership;
    const epoch = String(membership.epoch);
    const { members, capabilities } = membership;
    if (this.current?.epoch !== epoch)
      this.current = { epoch, owners: members.map((agentId) => candidateOf(agentId, capabilities[agentId] ?? [])) };
    this.considered = considered;
    for (const session of this.sessions.values()) session.wakeUp();
  }
}
