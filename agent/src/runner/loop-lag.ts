import { performance } from 'node:perf_hooks';
import { Fifo } from '@watchpost/shared/queues/fifo';
import type { Wakeup } from '../schedule/scheduler-options.js';

const SAMPLE_MS = 10;
/** Another wake-up within this time replaces a sample. */
const SHARED_MS = 20;
/** Delays are noted at most once a ms, so that this limits their number, too. */
const KEPT_MS = 70_000;

/** Delays of the event loop during a check, µs. */
export interface LoopLag {
  /** The longest single delay. */
  maxUs: number;
  /** All delays together: time in which the check could not continue. */
  totalUs: number;
}

/**
 * Measures the delays of the event loop over the last 70 s. It samples only while checks run, so that an idle agent is not
 * woken, and wake-ups of the schedule serve as samples: a timer for each check cost a wake-up of the process each.
 */
export class LoopLagSampler {
  private readonly delays = new Fifo<{ atMs: number; us: number }>();
  private users = 0;
  private timer: NodeJS.Timeout | undefined;
  /** When the own timer is due, and when the schedule's is. */
  private ownAt = Infinity;
  private sharedAt = Infinity;
  /** During a wake-up of the schedule, which sets its next one at its end. */
  private isWoken = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** To be called when a check starts. @returns the mark for `end` */
  begin(): number {
    const now = this.now();
    if (this.users++ === 0 && !this.isWoken) this.ensureSample(now);
    return now;
  }

  end(mark: number): LoopLag {
    const now = this.now();
    // An overdue sample shows a delay that is not over yet.
    this.note(now, now - Math.min(this.ownAt, this.sharedAt));
    if (--this.users === 0) this.stopSampling();
    const lag: LoopLag = { maxUs: 0, totalUs: 0 };
    for (let index = this.delays.size - 1; index >= 0; index--) {
      const { atMs, us } = this.delays.at(index)!;
      if (atMs < mark) break;
      lag.maxUs = Math.max(lag.maxUs, us);
      lag.totalUs += us;
    }
    return lag;
  }

  /** The time since a mark, µs. */
  since(mark: number): number {
    return Math.round((this.now() - mark) * 1_000);
  }

  /** Makes each wake-up of the schedule a sample. The schedule waits for one at a time. */
  share(wakeup: Wakeup): Wakeup {
    return {
      soon: (callback) => wakeup.soon(callback),
      after: (delayMs, callback) => {
        this.sharedAt = this.now() + Math.max(1, delayMs);
        const cancel = wakeup.after(delayMs, () => {
          const fired = this.now();
          if (this.users > 0) this.note(fired, fired - this.sharedAt);
          this.sharedAt = Infinity;
          this.isWoken = true;
          callback();
          this.isWoken = false;
          if (this.users > 0) this.ensureSample(this.now());
        });
        return () => {
          cancel();
          this.sharedAt = Infinity;
          if (this.users > 0 && !this.isWoken) this.ensureSample(this.now());
        };
      },
    };
  }

  /** Starts a timer unless a sample comes soon. */
  private ensureSample(now: number): void {
    if (this.ownAt < Infinity || this.sharedAt <= now + SHARED_MS) return;
    this.ownAt = now + SAMPLE_MS;
    this.timer = setTimeout(() => {
      const fired = this.now();
      this.note(fired, fired - this.ownAt);
      this.ownAt = Infinity;
      this.ensureSample(fired);
    }, SAMPLE_MS);
  }

  private stopSampling(): void {
    if (this.ownAt === Infinity) return;
    clearTimeout(this.timer);
    this.ownAt = Infinity;
  }

  private note(now: number, lateMs: number): void {
    // Node's timers have whole ms: up to 1 ms is no delay.
    const us = Math.round((lateMs - 1) * 1000);
    if (us <= 0) return;
    // This delay must not be counted again by the timers that it holds up.
    this.ownAt = Math.max(this.ownAt, now);
    this.sharedAt = Math.max(this.sharedAt, now);
    while ((this.delays.peek()?.atMs ?? now) < now - KEPT_MS) this.delays.shift();
    this.delays.push({ atMs: now, us });
  }
}
