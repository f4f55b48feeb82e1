import { performance } from 'node:perf_hooks';

const SAMPLE_MS = 10;
const BUCKET_MS = 100;
const BUCKETS = 700;

/** What the event loop did to a check while it ran, µs. */
export interface LoopLag {
  /** The longest single delay. */
  maxUs: number;
  /** All delays together: time in which the check could not go on. */
  totalUs: number;
}

/**
 * How late the event loop was, kept for the last 70 s so that each check can be told what it suffered. It
 * samples only while something runs: an idle agent is not woken for it.
 */
export class LoopLagSampler {
  private readonly maxUs = new Uint32Array(BUCKETS);
  private readonly sumUs = new Uint32Array(BUCKETS);
  private users = 0;
  private timer: NodeJS.Timeout | undefined;
  private expected = 0;
  private newestBucket = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** To be called when a check starts. @returns the mark to be given to `end` */
  begin(): number {
    const now = this.now();
    if (this.users++ === 0) this.schedule(now);
    return now;
  }

  end(mark: number): LoopLag {
    const now = this.now();
    // a delay that is not over yet: the sample that is due has not come
    this.note(now, now - this.expected);
    if (--this.users === 0) clearTimeout(this.timer);
    const lag: LoopLag = { maxUs: 0, totalUs: 0 };
    const last = Math.floor(now / BUCKET_MS);
    for (let bucket = Math.max(Math.floor(mark / BUCKET_MS), last - BUCKETS + 1); bucket <= last; bucket++) {
      lag.maxUs = Math.max(lag.maxUs, this.maxUs[bucket % BUCKETS]!);
      lag.totalUs += this.sumUs[bucket % BUCKETS]!;
    }
    return lag;
  }

  private schedule(now: number): void {
    this.expected = now + SAMPLE_MS;
    this.forgetUntil(Math.floor(now / BUCKET_MS));
    this.timer = setTimeout(() => {
      const fired = this.now();
      this.note(fired, fired - this.expected);
      this.schedule(fired);
    }, SAMPLE_MS);
  }

  private note(now: number, lateMs: number): void {
    const bucket = Math.floor(now / BUCKET_MS);
    this.forgetUntil(bucket);
    // timers of Node are whole ms: up to one is not lateness
    const lateUs = Math.round((lateMs - 1) * 1000);
    if (lateUs <= 0) return;
    const index = bucket % BUCKETS;
    this.expected = Math.max(this.expected, now);
    this.maxUs[index] = Math.max(this.maxUs[index]!, lateUs);
    this.sumUs[index] = this.sumUs[index]! + lateUs;
  }

  private forgetUntil(bucket: number): void {
    const from = Math.max(this.newestBucket + 1, bucket - BUCKETS + 1);
    for (let stale = from; stale <= bucket; stale++) {
      this.maxUs[stale % BUCKETS] = 0;
      this.sumUs[stale % BUCKETS] = 0;
    }
    this.newestBucket = Math.max(this.newestBucket, bucket);
  }
}
