import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { addressBlock } from '../http/remote-address.js';

/** Addresses that are remembered at a time; the one that asked longest ago is forgotten first. */
const CAPACITY = 10_000;

interface Visits {
  endsMs: number;
  count: number;
}

/** Counts what strangers ask, by address, in windows that begin with the first call. */
export class VisitorLimit {
  readonly #visits = new BoundedCache<string, Visits>(CAPACITY);

  constructor(
    private readonly clock: Clock,
    private readonly most: number,
    private readonly windowMs = 60_000,
  ) {}

  /** @throws Fault rate_limited */
  take(remoteAddress: string): void {
    const nowMs = this.clock.now();
    const address = addressBlock(remoteAddress);
    const known = this.#visits.get(address);
    const visits = known && known.endsMs > nowMs ? known : { endsMs: nowMs + this.windowMs, count: 0 };
    if (visits !== known) this.#visits.set(address, visits);
    if (visits.count >= this.most) {
      const seconds = Math.ceil((visits.endsMs - nowMs) / 1_000);
      throw new Fault('rate_limited', 'Too many calls came from this address; go on a little later.', [], seconds);
    }
    visits.count++;
  }
}
