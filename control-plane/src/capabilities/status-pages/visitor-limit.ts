import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CreateLimiter, LimiterPolicy, RateLimiter } from '../../platform/http/rate-limiter.js';
import { addressBlock } from '../../platform/http/remote-address.js';

/** Addresses counted at a time; the least recently used one is evicted first. */
const CAPACITY = 10_000;
/** The first tenth of an address's limit is counted in this process alone, so that ordinary visitors do not wait for other processes. */
const UNSHARED = 10;

interface Visits {
  endsMs: number;
  count: number;
  /** Blocked by the shared count, which is not read again before the window ends, so that a flood stays in this process. */
  isRefused: boolean;
}

/** Limits anonymous requests by address, in windows that begin with the first request. */
export class VisitorLimit {
  readonly #visits = new BoundedCache<string, Visits>(CAPACITY);
  readonly #mostHere: number;
  readonly #shared: RateLimiter | null;

  /** @param share creates a count that all processes share; null where this process is the only one */
  constructor(
    private readonly clock: Clock,
    private readonly policy: LimiterPolicy,
    share: CreateLimiter | null,
  ) {
    const { points } = policy;
    this.#mostHere = share ? Math.ceil(points / UNSHARED) : points;
    this.#shared = share && points > this.#mostHere ? share({ ...policy, points: points - this.#mostHere }) : null;
  }

  /** @throws Fault rate_limited */
  async take(remoteAddress: string): Promise<void> {
    const nowMs = this.clock.now();
    const address = addressBlock(remoteAddress);
    const known = this.#visits.get(address);
    const windowMs = this.policy.windowSeconds * 1_000;
    // A clock that was set back must not extend a window.
    const isOpen = known !== undefined && known.endsMs > nowMs && known.endsMs <= nowMs + windowMs;
    const visits = isOpen ? known : { endsMs: nowMs + windowMs, count: 0, isRefused: false };
    if (visits !== known) this.#visits.set(address, visits);
    if (visits.count < this.#mostHere) {
      visits.count++;
      return;
    }
    const quota = visits.isRefused ? undefined : await this.#shared?.take(address);
    if (quota?.allowed) return;
    if (quota) {
      visits.isRefused = true;
      visits.endsMs = nowMs + quota.resetSeconds * 1_000;
    }
    const seconds = Math.ceil((visits.endsMs - nowMs) / 1_000);
    throw new Fault('rate_limited', 'Too many calls came from this address; go on a little later.', [], seconds);
  }
}
