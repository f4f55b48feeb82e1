import { halvesOf } from '../../platform/db/work-by-halves.js';
import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { Fault } from '@watchpost/shared/fault';
import { asBackground } from '../../platform/db/request-context.js';
import { senderBlock } from '../../platform/http/remote-address.js';
import type { Ping } from '../heartbeats/index.js';

/** A ping with the hash of its token. */
export interface ReceivedPing {
  hash: Buffer;
  ping: Ping;
}

export interface PingQueueLimits {
  /** The least time between the starts of two transactions, ms. A ping waits for it at most. */
  everyMs: number;
  /** Pings in a transaction. */
  batch: number;
  /** Pings of one owner that wait, or of one sender of tokens of which no ping was stored yet. */
  perOwner: number;
  waiting: number;
  /** Those of them with tokens of which no ping was stored yet. */
  unknown: number;
  /** How long a ping is tried again whose rows are locked, ms. */
  lockedMs: number;
}

export const PING_QUEUE_LIMITS: PingQueueLimits = {
  everyMs: 20,
  batch: 250,
  perOwner: 500,
  waiting: 5_000,
  unknown: 2_500,
  lockedMs: 10_000,
};
/** Owners of tokens are remembered up to here. */
export const KNOWN_TOKENS = 50_000;
/** The lane of a sender begins with it; ids of owners do not. */
const UNKNOWN = 'unknown token from ';

interface Waiting extends ReceivedPing {
  owner: string;
  addedAt: number;
  resolve(isKnown: boolean): void;
  reject(error: unknown): void;
}

/**
 * Joins the pings that a process receives into transactions, because a commit costs more than a ping. Owners take turns, one
 * ping each, and each has a share of the places: a flood of one is refused and does not delay the others. Tokens that this process
 * does not know take turns by their sender in the same way, and have half of the places.
 */
export class PingQueue {
  /** By owner; the first is the next to be served. */
  private readonly lanes = new Map<string, Waiting[]>();
  /** Owners by token hash in hex. */
  private readonly owners = new BoundedCache<string, string>(KNOWN_TOKENS);
  private running = false;
  private timer: NodeJS.Timeout | undefined;
  private startedAt = -Infinity;
  private count = 0;
  private unknownCount = 0;
  private hasLost = false;

  constructor(
    private readonly ports: {
      /** Commits pings in one transaction. @returns the owners of the tokens, by hash in hex; an unknown token has none */
      store(pings: readonly ReceivedPing[]): Promise<ReadonlyMap<string, { ownerId: string }>>;
      /** Whether the same transaction could succeed without a part of its pings. */
      isOfAPart(error: unknown): boolean;
      /** Whether it failed only because others have locked rows that it needs. */
      isLockConflict(error: unknown): boolean;
      onRefused?(): void;
      /** A ping failed alone. */
      onFailed?(error: unknown, owner: string): void;
    },
    private readonly limits: PingQueueLimits = PING_QUEUE_LIMITS,
  ) {}

  get waiting(): number {
    return this.count;
  }

  /** Whether pings were lost here since the last call, whatever they contained: the queue was full, or the database away. */
  takeLoss(): boolean {
    const hadLost = this.hasLost;
    this.hasLost = false;
    return hadLost;
  }

  /** Notes the owners of tokens, the ones that matter most first. */
  remember(tokens: readonly { hash: Buffer; ownerId: string }[]): void {
    for (const { hash, ownerId } of tokens.toReversed()) this.owners.set(hash.toString('hex'), ownerId);
  }

  /** Whether a ping of this token was stored by this process, or it knew the token when it started. */
  knows(hash: Buffer): boolean {
    return this.owners.get(hash.toString('hex')) !== undefined;
  }

  /** Resolves when the ping is committed, with whether its token is known. @throws Fault unavailable where the queue is full */
  async add(received: ReceivedPing): Promise<boolean> {
    const known = this.owners.get(received.hash.toString('hex'));
    const owner = known ?? UNKNOWN + senderBlock(received.ping.remoteAddress);
    const waiting = this.lanes.get(owner)?.length ?? 0;
    const isFull = this.count >= this.limits.waiting;
    if (isFull || waiting >= this.limits.perOwner || (known === undefined && !this.hasUnknownPlace(waiting))) {
      // An owner who fills his share has only himself to thank.
      this.hasLost ||= isFull;
      throw this.refusal();
    }
    const lane = this.lanes.get(owner) ?? [];
    this.lanes.set(owner, lane);
    this.counted(owner, 1);
    return new Promise((resolve, reject) => {
      lane.push({ ...received, owner, addedAt: performance.now(), resolve, reject });
      this.schedule();
    });
  }

  /** Whether a sender of whom so many wait may add one more: where all places are taken, the sender with most pings gives one. */
  private hasUnknownPlace(waiting: number): boolean {
    if (this.unknownCount < this.limits.unknown) return true;
    let largest: Waiting[] = [];
    for (const [owner, lane] of this.lanes)
      if (owner.startsWith(UNKNOWN) && lane.length > largest.length) largest = lane;
    if (waiting + 1 >= largest.length) return false;
    const displaced = largest.pop()!;
    this.counted(displaced.owner, -1);
    displaced.reject(this.refusal());
    return true;
  }

  private refusal(): Fault {
    this.ports.onRefused?.();
    return new Fault('unavailable', 'Too many pings wait to be stored; send this one again in a second.', [], 1);
  }

  private counted(owner: string, change: 1 | -1): void {
    this.count += change;
    if (owner.startsWith(UNKNOWN)) this.unknownCount += change;
  }

  private schedule(): void {
    if (this.running || this.timer !== undefined || this.count === 0) return;
    const waitMs = Math.max(0, this.startedAt + this.limits.everyMs - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      // It stores the pings of all tenants.
      void asBackground(() => this.run());
    }, waitMs);
  }

  private async run(): Promise<void> {
    this.running = true;
    this.startedAt = performance.now();
    await this.store(this.take());
    this.running = false;
    this.schedule();
  }

  /**
   * Commits pings in one transaction. One that fails because of a part is repeated by halves between the owners, then between
   * the tokens of one, and then between its pings: what a stranger sent, or has locked, can fail only his own.
   */
  private async store(batch: readonly Waiting[]): Promise<void> {
    const groups = [batch];
    // Those that are added meanwhile are among them: strangers are done before one owner is divided.
    for (const group of groups) groups.push(...(await this.storeOrDivide(group)));
  }

  /** @returns the groups to store instead */
  private async storeOrDivide(batch: readonly Waiting[]): Promise<readonly (readonly Waiting[])[]> {
    try {
      const targets = await this.ports.store(batch);
      for (const { hash, resolve } of batch) {
        const key = hash.toString('hex');
        const target = targets.get(key);
        if (target) this.owners.set(key, target.ownerId);
        else this.owners.delete(key);
        resolve(target !== undefined);
      }
      return [];
    } catch (error) {
      return this.divide(batch, error);
    }
  }

  private async divide(batch: readonly Waiting[], error: unknown): Promise<readonly (readonly Waiting[])[]> {
    if (!this.ports.isOfAPart(error)) {
      this.hasLost = true;
      for (const { reject } of batch) reject(error);
      return [];
    }
    const isOfOne = (of: (ping: Waiting) => string) => batch.every((ping) => of(ping) === of(batch[0]!));
    if (!isOfOne(({ owner }) => owner)) return halvesOf(batch, ({ owner }) => owner);
    if (!isOfOne(tokenOf)) return halvesOf(batch, tokenOf);
    if (this.ports.isLockConflict(error)) this.setAside(batch, error);
    else if (batch.length === 1) this.fail(batch[0]!, error);
    // One after the other, because the order of a token's pings decides.
    else for (const half of halvesOf(batch, tokenOf)) await this.store(half);
    return [];
  }

  /** Puts the pings of a token whose rows are locked back in their order, before the others of their owner. */
  private setAside(pings: readonly Waiting[], error: unknown): void {
    const expiresAt = performance.now() - this.limits.lockedMs;
    const kept = pings.filter(({ addedAt }) => addedAt >= expiresAt);
    for (const ping of pings) if (ping.addedAt < expiresAt) this.fail(ping, error);
    if (kept.length === 0) return;
    const { owner } = kept[0]!;
    this.lanes.set(owner, [...kept, ...(this.lanes.get(owner) ?? [])]);
    for (const ping of kept) this.counted(ping.owner, 1);
  }

  private fail(ping: Waiting, error: unknown): void {
    this.ports.onFailed?.(error, ping.owner);
    ping.reject(error);
  }

  /** One of each owner in turn. The owners that are left over come first the next time. */
  private take(): Waiting[] {
    const batch: Waiting[] = [];
    // An entry that is set again comes once more, after all others.
    for (const [owner, lane] of this.lanes) {
      if (batch.length === this.limits.batch) break;
      batch.push(lane.shift()!);
      this.counted(owner, -1);
      this.lanes.delete(owner);
      if (lane.length > 0) this.lanes.set(owner, lane);
    }
    return batch;
  }
}

function tokenOf({ hash }: ReceivedPing): string {
  return hash.toString('hex');
}
