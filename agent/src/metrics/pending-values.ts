import { CHECK_KIND_CODES, CHECK_KINDS, type CheckKind } from '@watchpost/shared/check';
import { OUTCOME_CODES, type OutcomeKind } from '@watchpost/shared/outcome';

const SIZE = 256;

/**
 * Collects values for a histogram. One value at a time, at the pace of checks, misses the processor's caches each time; in
 * hundreds they cost next to nothing.
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

const OUTCOMES = Object.keys(OUTCOME_CODES) as OutcomeKind[];
const OUTCOME_BITS = 2;

/** Counts checks by kind and outcome until the counter is read: finding a counter by its labels costs more than counting. */
export class PendingOutcomes {
  private readonly counts = new Float64Array(256);

  constructor(private readonly add: (labels: { kind: CheckKind; outcome: OutcomeKind }, count: number) => void) {}

  count(kind: CheckKind, outcome: OutcomeKind): void {
    this.counts[indexOf(kind, outcome)]!++;
  }

  /** To be called before the counter is read. */
  flush(): void {
    for (const kind of CHECK_KINDS) {
      for (const outcome of OUTCOMES) {
        const index = indexOf(kind, outcome);
        if (this.counts[index]! > 0) this.add({ kind, outcome }, this.counts[index]!);
        this.counts[index] = 0;
      }
    }
  }
}

function indexOf(kind: CheckKind, outcome: OutcomeKind): number {
  return (CHECK_KIND_CODES[kind] << OUTCOME_BITS) | OUTCOME_CODES[outcome];
}
