import { kindCodeOf, monitorKeyOf, possibleCodes } from '@watchpost/shared/check';
import { shardOf } from '@watchpost/shared/ownership-shard';
import { ownedShards, ownerOf, type Ownership } from '../members/decide-owner.js';

/**
 * The checks that an agent may have: those that it was sent on its present stream, and those that it kept from an earlier
 * one. The latter are known by the shards that it owned, so that no monitor has to be read when an agent returns. They
 * include checks that do not exist, such as other kinds of a monitor: an agent ignores the removal of a check without them.
 */
export class AssignedChecks {
  private sent = new Set<number>();
  /** Bits of kinds by shard. */
  private kept = new Map<number, number>();
  /** Monitors of kept shards whose checks are all among those sent. */
  private readonly resent = new Set<number>();
  private keptCount = 0;

  get size(): number {
    return this.sent.size + this.keptCount;
  }

  has(code: number): boolean {
    return this.sent.has(code) || this.isKept(code);
  }

  add(code: number): void {
    this.sent.add(code);
  }

  delete(code: number): void {
    this.sent.delete(code);
  }

  /** The agent has exactly these. */
  replace(codes: Set<number>): void {
    this.sent = codes;
    this.kept.clear();
    this.resent.clear();
    this.keptCount = 0;
  }

  /** The agent has what it owned, from an earlier stream. */
  keep(agentId: string, { owners }: Ownership): void {
    this.replace(new Set());
    this.kept = new Map(ownedShards(owners, agentId));
  }

  /** Notes how many checks the agent itself reports: those that it kept are not counted here. */
  noteCount(checks: number): void {
    this.keptCount = this.kept.size > 0 ? Math.max(0, checks - this.sent.size) : 0;
  }

  ofMonitor(monitorKey: number): number[] {
    return possibleCodes(monitorKey).filter((code) => this.has(code));
  }

  /** Notes that `add` and `delete` were called for all checks of a monitor that the agent may have. */
  settle(monitorKey: number): void {
    if (this.kept.has(shardOf(monitorKey))) this.resent.add(monitorKey);
  }

  /** Whether there are checks that the agent does not own by this ownership. */
  hasLost(agentId: string, ownership: Ownership): boolean {
    return this.lostSent(agentId, [ownership]).length > 0 || this.lostShards(agentId, [ownership]).length > 0;
  }

  /** The checks that were sent and that the agent owns by none of these ownerships. */
  lostSent(agentId: string, ownerships: readonly Ownership[]): number[] {
    return [...this.sent].filter((code) => ownerships.every(({ owners }) => ownerOf(owners, code) !== agentId));
  }

  /** The shards of which checks are kept that the agent owns by none of these ownerships. */
  lostShards(agentId: string, ownerships: readonly Ownership[]): number[] {
    const ownedKinds = kindsOwned(agentId, ownerships);
    return [...this.kept].flatMap(([shard, kinds]) => ((kinds & ~ownedKinds(shard)) === 0 ? [] : [shard]));
  }

  /** Forgets the checks that the agent owns by none of these ownerships. */
  dropLost(agentId: string, ownerships: readonly Ownership[]): void {
    for (const code of this.lostSent(agentId, ownerships)) this.sent.delete(code);
    const ownedKinds = kindsOwned(agentId, ownerships);
    for (const shard of this.lostShards(agentId, ownerships)) {
      const left = this.kept.get(shard)! & ownedKinds(shard);
      if (left === 0) this.kept.delete(shard);
      else this.kept.set(shard, left);
    }
  }

  private isKept(code: number): boolean {
    const monitorKey = monitorKeyOf(code);
    const kinds = this.kept.get(shardOf(monitorKey)) ?? 0;
    return ((kinds >> kindCodeOf(code)) & 1) === 1 && !this.resent.has(monitorKey);
  }
}

/** The kinds that an agent owns in a shard by any of these ownerships, one bit for the code of each. */
function kindsOwned(agentId: string, ownerships: readonly Ownership[]): (shard: number) => number {
  const owned = ownerships.map(({ owners }) => ownedShards(owners, agentId));
  return (shard) => owned.reduce((kinds, shards) => kinds | (shards.get(shard) ?? 0), 0);
}
