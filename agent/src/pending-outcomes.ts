import { CHECK_KIND_CODES, CHECK_KINDS, type CheckKind } from '@watchpost/shared/check';
import { OUTCOME_CODES, type OutcomeKind } from '@watchpost/shared/outcome';

const OUTCOMES = Object.keys(OUTCOME_CODES) as OutcomeKind[];
const OUTCOME_BITS = 2;

/** Checks counted by kind and outcome until somebody reads the counter: finding it by its labels costs more than counting. */
export class PendingOutcomes {
  private readonly counts = new Float64Array(256);

  constructor(private readonly add: (labels: { kind: CheckKind; outcome: OutcomeKind }, count: number) => void) {}

  count(kind: CheckKind, outcome: OutcomeKind): void {
    this.counts[slotOf(kind, outcome)]!++;
  }

  /** To be called before the counter is read. */
  flush(): void {
    for (const kind of CHECK_KINDS) {
      for (const outcome of OUTCOMES) {
        const slot = slotOf(kind, outcome);
        if (this.counts[slot]! > 0) this.add({ kind, outcome }, this.counts[slot]!);
        this.counts[slot] = 0;
      }
    }
  }
}

function slotOf(kind: CheckKind, outcome: OutcomeKind): number {
  return (CHECK_KIND_CODES[kind] << OUTCOME_BITS) | OUTCOME_CODES[outcome];
}
