import { uptime } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Clock } from '@watchpost/shared/clock';

export interface TimeSources {
  /** Wall clock, ms since the epoch; it can be set. */
  wallMs(): number;
  /** Never steps, and stops while the machine is suspended. */
  monotonicMs(): number;
  /** Time since boot, suspension included; ms. */
  bootMs(): number;
}

/** The clocks of this machine. On Linux the uptime includes suspension (CLOCK_BOOTTIME), the monotonic clock does not. */
export const systemTimeSources: TimeSources = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  bootMs: () => uptime() * 1000,
};

/** Smaller differences are delays of the network rather than errors of the clock. */
const TOLERANCE_MS = 250;
const JUMP_MS = 1_000;
const SAMPLES = 8;
const REFRESH_MS = 1_000;

/**
 * The control plane's time, on top of the machine's monotonic clock: an agent with a wrong wall clock checks at the
 * scheduled times, and a step of the wall clock has no effect. Until the control plane has sent its time, it is the wall clock.
 */
export class ServerClock implements Clock {
  private base: number;
  private samples: number[] = [];
  private synced = false;
  private bootSkew: number;
  private checkedAt: number;

  constructor(private readonly sources: TimeSources) {
    this.base = this.wallBase();
    this.bootSkew = sources.bootMs() - sources.monotonicMs();
    this.checkedAt = sources.monotonicMs();
  }

  /** Ms since the epoch, with fractions. */
  now(): number {
    return this.sources.monotonicMs() + this.base;
  }

  /** How far the control plane's clock is ahead of this machine's, ms. */
  get offsetMs(): number {
    return this.base - this.wallBase();
  }

  /** Forgets the samples of another control-plane process, whose clock can differ. */
  startSession(): void {
    this.samples = [];
  }

  /**
   * Takes the time at which a message was sent. Messages can only be delayed, so that the largest of the recent samples
   * has the smallest error.
   */
  observe(serverTimeMs: number): void {
    this.samples.push(serverTimeMs - this.sources.monotonicMs());
    if (this.samples.length > SAMPLES) this.samples.shift();
    this.synced = true;
    const estimate = Math.max(...this.samples);
    if (Math.abs(estimate - this.base) > TOLERANCE_MS) this.base = estimate;
  }

  /** Follows a suspension and, before the control plane has sent its time, steps of the wall clock. Cheap; call it often. */
  refresh(): void {
    const monotonic = this.sources.monotonicMs();
    if (monotonic - this.checkedAt < REFRESH_MS) return;
    this.checkedAt = monotonic;
    const bootSkew = this.sources.bootMs() - monotonic;
    const suspendedMs = bootSkew - this.bootSkew;
    if (Math.abs(suspendedMs) > JUMP_MS) {
      this.bootSkew = bootSkew;
      this.samples = [];
      if (this.synced) this.base += suspendedMs;
    }
    if (!this.synced && Math.abs(this.offsetMs) > TOLERANCE_MS) this.base = this.wallBase();
  }

  private wallBase(): number {
    return this.sources.wallMs() - this.sources.monotonicMs();
  }
}
