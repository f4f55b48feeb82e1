import type { Outcome } from '@watchpost/shared/outcome';
import { FAULTS, type FaultKey } from './fault-sentences.js';

/** The values of a sentence's `{placeholders}`. */
export type FaultValues = Readonly<Record<string, string | number>>;

/** The fault of a check, as a value: a target that is down is no exception. */
export class ProbeFault {
  constructor(
    readonly key: FaultKey,
    readonly values: FaultValues = {},
    /** The fault that led to this one, whose reason it has. */
    private readonly cause?: ProbeFault,
  ) {}

  /** Whether the agent is at fault; the target may be up. */
  get isAgentFault(): boolean {
    return FAULTS[this.key].kind === 'inconclusive';
  }

  /** Whether the fault follows from a complete response, which is the same however late it is read. */
  get isAnswer(): boolean {
    const fault = FAULTS[this.key];
    return fault.kind === 'down' && fault.isAnswer === true;
  }

  get sentence(): string {
    return FAULTS[this.key].sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
      String(this.values[name] ?? place),
    );
  }

  toOutcome(): Outcome {
    const fault = FAULTS[this.key];
    const message = this.sentence;
    if (fault.kind === 'inconclusive') return { kind: 'inconclusive', reason: fault.reason, message };
    const cause = this.cause?.toOutcome();
    const reason = cause?.kind === 'down' ? cause.reason : fault.reason;
    return { kind: 'down', phase: fault.phase, reason, message };
  }
}
