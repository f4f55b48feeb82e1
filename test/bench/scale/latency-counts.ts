/** Each bucket is this much wider than the one before: quantiles are exact to 2.5 %. */
const GROWTH = 1.05;
const LEAST_MS = 0.1;
const BUCKETS = 330;
const LOG_GROWTH = Math.log(GROWTH);

/** Counts of durations in buckets that grow: from 0.1 ms to a quarter of an hour. */
export class LatencyCounts {
  private readonly counts = new Uint32Array(BUCKETS);

  add(ms: number): void {
    const bucket = ms <= LEAST_MS ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / LEAST_MS) / LOG_GROWTH));
    this.counts[bucket]!++;
  }

  /** @returns the counts since the last call */
  take(): number[] {
    const taken = [...this.counts];
    this.counts.fill(0);
    return taken;
  }
}

/** Adds counts of several sources. */
export function sumCounts(parts: readonly (readonly number[])[]): number[] {
  return Array.from({ length: BUCKETS }, (_, bucket) => parts.reduce((sum, part) => sum + (part[bucket] ?? 0), 0));
}

/** The quantile of counted durations in ms; NaN without any. */
export function countedQuantile(counts: readonly number[], fraction: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return NaN;
  let left = Math.ceil(total * fraction);
  const bucket = counts.findIndex((count) => (left -= count) <= 0);
  return LEAST_MS * GROWTH ** (bucket - 0.5);
}
