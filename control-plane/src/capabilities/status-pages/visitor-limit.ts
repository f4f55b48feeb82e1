import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { CallWindows, secondsLeft } from '../../platform/http/call-windows.js';
import type { CreateLimiter, LimiterPolicy, RateLimiter } from '../../platform/http/rate-limiter.js';
import { addressBlock } from '../../platform/http/remote-address.js';

/** Addresses counted at a time; the least recently used one is evicted first. */
const CAPACITY = 10_000;
/** The first tenth of an address's limit is counted in this process alone, so that ordinary visitors do not wait for other processes. */
const UNSHARED = 10;

/** Limits anonymous requests by address, in windows that begin with the first request. */
export class VisitorLimit {
  readonly #visits: CallWindows;
  readonly #mostHere: number;
  readonly #shared: RateLimiter | null;

  /** @param share creates a count that all processes share; null where this process is the only one */
  constructor(
    private readonly clock: Clock,
    policy: LimiterPolicy,
    share: CreateLimiter | null,
  ) {
    const { points, windowSeconds } = policy;
    this.#visits = new CallWindows(windowSeconds * 1_000, CAPACITY);
    this.#mostHere = share ? Math.ceil(points / UNSHARED) : points;
    this.#shared = share && points > this.#mostHere ? share({ ...policy, points: points - this.#mostHere }) : null;
  }

  /** @throws Fault rate_limited */
  async take(remoteAddress: string): Promise<void> {
    const nowMs = this.clock.now();
    const address = addressBlock(remoteAddress);
    const visits = this.#visits.open(address, nowMs);
    if (visits.count < this.#mostHere) {
      visits.count++;
      return;
    }
    // Once the shared counts refuse an address, they are not asked again in this window.
    const quota = visits.isRefused ? undefined : await this.#shared?.take(address);
    if (quota?.allowed) return;
    if (quota) {
      visits.isRefused = true;
      visits.endsMs = nowMs + quota.resetSeconds * 1_000;
    }
    const seconds = secondsLeft(visits, nowMs);
    throw new Fault('rate_limited', 'Too many calls came from this address; go on a little later.', [], seconds);
  }
}
