import type { Outcome } from '@watchpost/shared/outcome';
import { FAULTS, type FaultKey } from './fault-sentences.js';

/** The values of a sentence's `{placeholders}`. */
export type FaultValues = Readonly<Record<string, string | number>>;

/** Faults that follow from a complete response, although their reason includes faults that delays can cause. */
const ANSWERS: ReadonlySet<FaultKey> = new Set([
  'tls_not_spoken',
  'tls_version',
  'tls_refused',
  'tls_name_unknown',
  'tls_no_protocol',
  'tls_client_certificate',
  'headers_too_large',
  'answer_not_http',
  'answer_never_final',
  'body_not_http',
  'body_unreadable',
  'resolver_garbled',
]);

/** The fault of a check, as a value: a target that is down is no exception. */
export class ProbeFault {
  constructor(
    readonly key: FaultKey,
    readonly values: FaultValues = {},
  ) {}

  /** Whether the agent is at fault; the target may be up. */
  get isAgentFault(): boolean {
    return FAULTS[this.key].kind === 'inconclusive';
  }

  /** Whether the fault follows from a complete response, which is the same however late it is read. */
  get isAnswer(): boolean {
    return ANSWERS.has(this.key);
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
