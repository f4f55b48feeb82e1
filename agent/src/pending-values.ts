const SIZE = 256;

/**
 * Values on their way into a histogram. One at a time, at a check's pace, each finds the histogram's code and counts
 * gone from the processor's caches; in hundreds they cost next to nothing.
 */
export class PendingValues {
  private readonly values = new Float64Array(SIZE);
  private count = 0;

  constructor(private readonly observe: (value: number) => void) {}

  add(value: number): void {
    this.values[this.count++] = value;
    if (this.count === SIZE) this.flush();
  }

  /** To be called before the histogram is read. */
  flush(): void {
    for (let index = 0; index < this.count; index++) this.observe(this.values[index]!);
    this.count = 0;
  }
}
