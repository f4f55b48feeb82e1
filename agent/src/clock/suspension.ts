import type { TimeSources } from './server-clock.js';

/** Smaller differences are errors of reading clocks one after another. */
const NOTICEABLE_MS = 100;

/**
 * Measures for how long the machine was suspended: while it is, the clock since boot goes on, and the monotonic clock, which
 * measures all durations, does not.
 */
export class Suspension {
  #totalMs = 0;
  #wallSkew: number;
  #bootSkew: number;

  constructor(private readonly sources: TimeSources) {
    this.#wallSkew = sources.wallMs() - sources.monotonicMs();
    this.#bootSkew = sources.bootMs() - sources.monotonicMs();
  }

  /** Ms since this was made. Reading the time since boot is slow: it is read only after a step of the wall clock. */
  get totalMs(): number {
    const { sources } = this;
    const wallSkew = sources.wallMs() - sources.monotonicMs();
    if (Math.abs(wallSkew - this.#wallSkew) < NOTICEABLE_MS) return this.#totalMs;
    this.#wallSkew = wallSkew;
    const grownMs = sources.bootMs() - sources.monotonicMs() - this.#bootSkew;
    if (grownMs >= NOTICEABLE_MS) {
      this.#bootSkew += grownMs;
      this.#totalMs += grownMs;
    }
    return this.#totalMs;
  }
}
