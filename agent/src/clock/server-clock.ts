import { uptime } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Clock } from '@watchpost/shared/clock';

/** The three clocks of a machine. */
export interface TimeSources {
  /** Wall clock, ms since the epoch; steps when somebody sets it. */
  wallMs(): number;
  /** Never steps, and stands still while the machine is suspended. */
  monotonicMs(): number;
  /** Time since boot, suspension included; ms. */
  bootMs(): number;
}

/** This machine's clocks. On Linux the uptime counts suspension (CLOCK_BOOTTIME), the monotonic clock does not. */
export const systemTimeSources: TimeSources = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  bootMs: () => uptime() * 1000,
};

/** Errors smaller than this are the network's rather than the clock's: ours is kept. */
const TOLERANCE_MS = 250;
const JUMP_MS = 1_000;
const SAMPLES = 8;
const REFRESH_MS = 1_000;

/**
 * Time by the control plane's clock, on the machine's monotonic clock: an agent whose wall clock is off
 * checks at the right moments and stamps times that fit those of others, and a step of the wall clock
 * moves nothing. Until the control plane has told its time, the wall clock is followed.
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

  /** Forgets what another control-plane process said: its clock need not be the next one's. */
  startSession(): void {
    this.samples = [];
  }

  /**
   * Takes the time that a message was stamped with when it was sent. A message can only be late, so the
   * largest of the recent samples is the one that was delayed least.
   */
  observe(serverTimeMs: number): void {
    this.samples.push(serverTimeMs - this.sources.monotonicMs());
    if (this.samples.length > SAMPLES) this.samples.shift();
    this.synced = true;
    const estimate = Math.max(...this.samples);
    if (Math.abs(estimate - this.base) > TOLERANCE_MS) this.base = estimate;
  }

  /** Follows a suspension, and steps of the wall clock while the control plane has not told its own. Cheap; call it often. */
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
