import type { Outcome } from '@watchpost/shared/outcome';
import { FAULTS, type FaultKey } from './fault-sentences.js';

/** What goes into a sentence's `{places}`. */
export type FaultValues = Readonly<Record<string, string | number>>;

/** Faults that a whole answer shows, of those whose reason others have too that time alone can make. */
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

  /** True where the target itself said so, in whole: what it sent says the same however late it is read. */
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
