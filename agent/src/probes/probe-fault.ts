import type { Outcome } from '@watchpost/shared/outcome';
import { FAULTS, type FaultKey } from './fault-sentences.js';

/** What goes into a sentence's `{places}`. */
export type FaultValues = Readonly<Record<string, string | number>>;

/** Why a check did not come out well, as a value: a target that is down is no exception. */
export class ProbeFault {
  constructor(
    readonly key: FaultKey,
    readonly values: FaultValues = {},
  ) {}

  /** True where the agent is at fault, and the target may be fine. */
  get isOurs(): boolean {
    return FAULTS[this.key].kind === 'inconclusive';
  }

  toOutcome(): Outcome {
    const fault = FAULTS[this.key];
    const message = fault.sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
      String(this.values[name] ?? place),
    );
    if (fault.kind === 'inconclusive') return { kind: 'inconclusive', reason: fault.reason, message };
    return { kind: 'down', phase: fault.phase, reason: fault.reason, message };
  }
}
