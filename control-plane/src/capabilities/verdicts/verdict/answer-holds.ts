import type { CheckResult } from '@watchpost/shared/outcome';
import type { Database } from '../../../platform/db/database.js';
import type { ApplyDeps } from '../../incidents/index.js';
import type { ResultsMetrics } from '../series/results-metrics.js';
import { HOLD_ANSWER_MS } from '../trust/decide-hold.js';
import { holdStore } from './hold-store.js';
import { reachVerdicts } from './reach-verdicts.js';
import { reviewHolds } from './release-holds.js';

export interface AnswerHoldsOptions extends ApplyDeps {
  db: Database;
  metrics: ResultsMetrics;
  /** Called with errors, after which the sweep ends the holds. */
  onError(error: unknown): void;
}

/**
 * Reviews the holds of failures that follow from an answer in the process that stored them, because their time is shorter
 * than that from one sweep to the next. The sweep does the same where this process has gone meanwhile.
 */
export class AnswerHolds {
  private readonly pending = new Set<Promise<void>>();

  constructor(private readonly options: AnswerHoldsOptions) {}

  /**
   * Considers a committed batch. Returns at once.
   * @param decided the monitors whose verdicts were decided with it
   */
  consider(results: readonly CheckResult[], decided: readonly number[]): void {
    // Arrays of bigint arrive as text.
    const isDecided = new Set(decided.map(Number));
    const keys = results.flatMap(({ answerDigest, key: { monitorKey } }) =>
      answerDigest !== undefined && isDecided.has(monitorKey) ? monitorKey : [],
    );
    if (keys.length === 0) return;
    const reviewed = this.reviewLater(keys).catch(this.options.onError);
    this.pending.add(reviewed);
    void reviewed.finally(() => this.pending.delete(reviewed));
  }

  /** Resolves when all that was considered has been reviewed. */
  async idle(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  private async reviewLater(keys: readonly number[]): Promise<void> {
    const { db, clock, metrics } = this.options;
    await new Promise((resolve) => setTimeout(resolve, HOLD_ANSWER_MS).unref());
    const reviewed = await db.read(async (tx) => {
      const held = await holdStore.of(tx, keys);
      return held.length === 0 ? null : reviewHolds(tx, held, clock.now());
    });
    if (!reviewed?.size) return;
    const verdicts = await db.transaction((tx) => reachVerdicts(this.options, tx, [...reviewed.keys()], reviewed));
    for (const { from, to } of verdicts) metrics.verdictChanged(from, to);
  }
}
