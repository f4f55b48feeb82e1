import { performance } from 'node:perf_hooks';
import type { Wakeup } from '../schedule/scheduler-options.js';

const SAMPLE_MS = 10;
/** A wake-up that comes within this time anyway is sample enough. */
const SHARED_MS = 20;
/** As short as a check can be: what was before it, or after, is not its own. */
const BUCKET_MS = 1;
const BUCKETS = 70_000;

/** What the event loop did to a check while it ran, µs. */
export interface LoopLag {
  /** The longest single delay. */
  maxUs: number;
  /** All delays together: time in which the check could not go on. */
  totalUs: number;
}

/**
 * How late the event loop was, kept for the last 70 s so that each check can be told what it suffered. It
 * samples only while something runs: an idle agent is not woken for it. An agent that is woken often enough by
 * its schedule is not woken once more: a timer of its own for each check cost a wake-up of the process for each.
 */
export class LoopLagSampler {
  private readonly maxUs = new Uint32Array(BUCKETS);
  private readonly sumUs = new Uint32Array(BUCKETS);
  private users = 0;
  private timer: NodeJS.Timeout | undefined;
  /** When our own timer should fire, and when the schedule's should. */
  private ownAt = Infinity;
  private sharedAt = Infinity;
  /** In the schedule's wake-up, which says in the end when it comes again. */
  private isWoken = false;
  private newestBucket = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** To be called when a check starts. @returns the mark to be given to `end` */
  begin(): number {
    const now = this.now();
    if (this.users++ === 0) {
      this.forgetUntil(Math.floor(now / BUCKET_MS));
      if (!this.isWoken) this.cover(now);
    }
    return now;
  }

  end(mark: number): LoopLag {
    const now = this.now();
    // a delay that is not over yet: the sample that is due has not come
    this.note(now, now - Math.min(this.ownAt, this.sharedAt));
    if (--this.users === 0) this.uncover();
    const lag: LoopLag = { maxUs: 0, totalUs: 0 };
    const last = Math.floor(now / BUCKET_MS);
    for (let bucket = Math.max(Math.floor(mark / BUCKET_MS), last - BUCKETS + 1); bucket <= last; bucket++) {
      lag.maxUs = Math.max(lag.maxUs, this.maxUs[bucket % BUCKETS]!);
      lag.totalUs += this.sumUs[bucket % BUCKETS]!;
    }
    return lag;
  }

  /** The same wake-ups, each of them a sample. For the one schedule of an agent: it waits for one at a time. */
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
          if (this.users > 0) this.cover(this.now());
        });
        return () => {
          cancel();
          this.sharedAt = Infinity;
          if (this.users > 0 && !this.isWoken) this.cover(this.now());
        };
      },
    };
  }

  /** Sees to it that a sample comes soon. */
  private cover(now: number): void {
    if (this.ownAt < Infinity || this.sharedAt <= now + SHARED_MS) return;
    this.ownAt = now + SAMPLE_MS;
    this.timer = setTimeout(() => {
      const fired = this.now();
      this.note(fired, fired - this.ownAt);
      this.ownAt = Infinity;
      this.cover(fired);
    }, SAMPLE_MS);
  }

  private uncover(): void {
    if (this.ownAt === Infinity) return;
    clearTimeout(this.timer);
    this.ownAt = Infinity;
  }

  private note(now: number, lateMs: number): void {
    const bucket = Math.floor(now / BUCKET_MS);
    this.forgetUntil(bucket);
    // timers of Node are whole ms: up to one is not lateness
    const lateUs = Math.round((lateMs - 1) * 1000);
    if (lateUs <= 0) return;
    const index = bucket % BUCKETS;
    // what is told now is not told again by the timers that it holds up
    this.ownAt = Math.max(this.ownAt, now);
    this.sharedAt = Math.max(this.sharedAt, now);
    this.maxUs[index] = Math.max(this.maxUs[index]!, lateUs);
    this.sumUs[index] = this.sumUs[index]! + lateUs;
  }

  private forgetUntil(bucket: number): void {
    if (bucket <= this.newestBucket) return;
    const from = Math.max(this.newestBucket + 1, bucket - BUCKETS + 1) % BUCKETS;
    const to = (bucket % BUCKETS) + 1;
    for (const kept of [this.maxUs, this.sumUs]) {
      if (from < to) kept.fill(0, from, to);
      else kept.fill(0, from).fill(0, 0, to);
    }
    this.newestBucket = bucket;
  }
}
