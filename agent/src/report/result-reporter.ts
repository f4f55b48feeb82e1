import type { CheckSpec } from '@watchpost/shared/check';
import type { CheckResult } from '@watchpost/shared/outcome';
import { encodeResult } from '@watchpost/shared/wire/encode-result';
import type { AgentMetrics } from '../metrics/agent-metrics.js';
import type { Spool } from '../spool/spool.js';
import type { EvidenceBudget } from './evidence-budget.js';
import { Urgency } from './urgency.js';

export interface ResultReporterOptions {
  metrics: Pick<AgentMetrics, 'noteResult' | 'evidenceDropped'>;
  spool: Pick<Spool, 'append'>;
  evidence: EvidenceBudget;
  monotonicMs(): number;
}

/** Reports results by way of the spool: encoded, within the budget of their owner, and at once where they are urgent. */
export class ResultReporter {
  private readonly urgency = new Urgency();

  constructor(private readonly options: ResultReporterOptions) {}

  /** @param isFirst whether the check was created or changed just now */
  report(spec: CheckSpec, result: CheckResult, isFirst: boolean): void {
    const { metrics, spool, evidence, monotonicMs } = this.options;
    metrics.noteResult(result);
    let encoded = encodeResult(result);
    if (!evidence.take(spec, encoded.length, this.urgency.isFailing(result), monotonicMs())) {
      metrics.evidenceDropped.inc();
      const { detail: _detail, ...rest } = result;
      encoded = encodeResult({ ...rest, evidence: null });
    }
    spool.append(encoded, this.urgency.isUrgent(result, isFirst));
  }

  /** Reports a result of before again, with more evidence; not at all where its owner has no budget for that. */
  reportAgain(spec: CheckSpec, result: CheckResult): void {
    const { metrics, spool, evidence, monotonicMs } = this.options;
    const encoded = encodeResult(result);
    if (evidence.take(spec, encoded.length, true, monotonicMs())) spool.append(encoded);
    else metrics.evidenceDropped.inc();
  }
}
