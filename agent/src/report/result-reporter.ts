import { type CheckSpec, checkCode } from '@watchpost/shared/check';
import type { CheckResult } from '@watchpost/shared/outcome';
import { encodeResult } from '@watchpost/shared/wire/encode-result';
import type { AgentMetrics } from '../metrics/agent-metrics.js';
import type { Spool } from '../spool/spool.js';
import type { EvidenceBudget } from './evidence-budget.js';

/** Beyond this number of failing checks, the first good result of some comes half a second later. */
const MOST_FAILING = 100_000;

/** Decides which results are sent without delay: every failure, the first success after one, and the first after a change. */
export class Urgency {
  private readonly failing = new Set<number>();

  /** @returns true if the last known result of the check was a failure */
  isFailing({ key }: Pick<CheckResult, 'key'>): boolean {
    return this.failing.has(checkCode(key));
  }

  /** @param isFirst whether the check was created or changed just now */
  isUrgent({ key, outcome }: CheckResult, isFirst: boolean): boolean {
    if (outcome.kind === 'up') return isFirst || (this.failing.size > 0 && this.failing.delete(checkCode(key)));
    if (this.failing.size < MOST_FAILING) this.failing.add(checkCode(key));
    return true;
  }
}

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
