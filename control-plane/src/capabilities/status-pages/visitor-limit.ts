import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CreateLimiter, LimiterPolicy, RateLimiter } from '../../platform/http/rate-limiter.js';
import { addressBlock } from '../../platform/http/remote-address.js';

/** Addresses that are remembered at a time; the one that asked longest ago is forgotten first. */
const CAPACITY = 10_000;
/** Of what an address may ask, one in so many is counted in this process alone: an ordinary visitor waits for nobody. */
const UNSHARED = 10;

interface Visits {
  endsMs: number;
  count: number;
  /** By the counts of all processes, which are not asked again before the window ends: a flood stays here. */
  isRefused: boolean;
}

/** Counts what strangers ask, by address, in windows that begin with the first call. */
export class VisitorLimit {
  readonly #visits = new BoundedCache<string, Visits>(CAPACITY);
  readonly #mostHere: number;
  readonly #shared: RateLimiter | null;

  /** @param share makes counts that all processes share; null where this process is the only one */
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
    // A clock that was set back makes no window longer: nobody is kept out for as far as it went.
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
