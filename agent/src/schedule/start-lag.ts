import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** How late checks start, over the time since it was last read. Native and a few µs a value at most. */
export class StartLag {
  private readonly histogram: RecordableHistogram = createHistogram({ lowest: 1, highest: 3_600_000_000, figures: 2 });

  record(lagMs: number): void {
    this.histogram.record(Math.min(3_600_000_000, Math.max(1, Math.round(lagMs * 1000))));
  }

  /** The 99th percentile in µs, 0 where nothing started; counting begins anew. */
  takeP99Us(): number {
    const p99 = this.histogram.count > 0 ? this.histogram.percentile(99) : 0;
    this.histogram.reset();
    return p99;
  }
}
