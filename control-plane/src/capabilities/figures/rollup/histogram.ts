import { VarintReader, VarintWriter } from './varints.js';

/**
 * Bucket i counts durations in (γ^(i-1), γ^i] µs and is represented by 2γ^i / (γ+1), with a relative error of at most
 * (γ-1) / (γ+1) = 0.99 % (the mapping of DDSketch, Masson et al., VLDB 2019).
 */
const GAMMA = 1.02;
const LOG_GAMMA = Math.log(GAMMA);
/** Enough for 2^31 µs, the longest duration that a row can contain. */
const BUCKETS = Math.ceil(Math.log(2 ** 31) / LOG_GAMMA) + 1;

/** Durations in µs, counted by size. Histograms of any times and regions can be merged, in any order. */
export class LatencyHistogram {
  private readonly counts = new Float64Array(BUCKETS);
  private total = 0;
  /** No bucket before it, nor after `last`, has a count. */
  private first = BUCKETS;
  private last = -1;

  get count(): number {
    return this.total;
  }

  add(us: number): void {
    const bucket = us <= 1 ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log(us) / LOG_GAMMA));
    this.grow(bucket, 1);
  }

  /** Empties it, so that it can be used again: a new one costs more than a few durations. */
  clear(): void {
    this.counts.fill(0, this.first, this.last + 1);
    [this.total, this.first, this.last] = [0, BUCKETS, -1];
  }

  /** Adds an encoded histogram, or several concatenated ones. */
  addEncoded(bytes: Uint8Array): void {
    const reader = new VarintReader(bytes);
    while (!reader.isAtEnd) {
      let bucket = 0;
      for (let pairs = reader.read(); pairs > 0; pairs--) {
        bucket += reader.read();
        const count = reader.read();
        if (bucket >= BUCKETS) throw new RangeError(`a histogram has no bucket ${bucket}`);
        this.grow(bucket, count);
      }
    }
  }

  /** The number of pairs that follow; then for each bucket that is not empty its distance from the previous one and its count. */
  encode(): Buffer {
    const writer = new VarintWriter();
    writer.write(this.counts.reduce((pairs, count) => pairs + (count > 0 ? 1 : 0), 0));
    let last = 0;
    this.counts.forEach((count, bucket) => {
      if (count === 0) return;
      writer.write(bucket - last);
      writer.write(count);
      last = bucket;
    });
    return writer.toBuffer();
  }

  /**
   * The quantiles at these shares (0 to 1, ascending), interpolated as percentile_cont does. The relative error is at most
   * 1 %, and no quantile lies outside of the bounds, which are exact.
   * @returns µs; empty for an empty histogram
   */
  quantiles(shares: readonly number[], bounds: { minUs: number; maxUs: number }): number[] {
    if (this.total === 0) return [];
    const within = (us: number) => Math.min(Math.max(us, bounds.minUs), bounds.maxUs);
    let [bucket, passed] = [this.first, this.counts[this.first]!];
    const at = (rank: number) => {
      while (passed <= rank) passed += this.counts[++bucket]!;
      return within(bucket === 0 ? 1 : (2 * GAMMA ** bucket) / (GAMMA + 1));
    };
    return shares.map((share) => {
      const rank = share * (this.total - 1);
      const low = at(Math.floor(rank));
      const [lowBucket, lowPassed] = [bucket, passed];
      const high = at(Math.ceil(rank));
      // The next share may lie below the upper neighbour of this one.
      [bucket, passed] = [lowBucket, lowPassed];
      return low + (high - low) * (rank - Math.floor(rank));
    });
  }

  private grow(bucket: number, more: number): void {
    this.counts[bucket]! += more;
    this.total += more;
    if (bucket < this.first) this.first = bucket;
    if (bucket > this.last) this.last = bucket;
  }
}
