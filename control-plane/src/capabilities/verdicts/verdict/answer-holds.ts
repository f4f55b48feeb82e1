import type { CheckResult } from '@watchpost/shared/outcome';
import type { Database } from '../../../platform/db/database.js';
import type { ApplyDeps } from '../../incidents/index.js';
import type { VerdictMetrics } from '../series/verdict-metrics.js';
import { HOLD_ANSWER_MS } from '../trust/decide-hold.js';
import { holdStore } from './hold-store.js';
import { reachVerdicts } from './reach-verdicts.js';
import { reviewHolds } from './release-holds.js';

export interface AnswerHoldsDeps extends ApplyDeps {
  db: Database;
  verdictMetrics: VerdictMetrics;
}

/**
 * Reviews the holds of failures that follow from an answer in the process that stored them, because their time is shorter
 * than that from one sweep to the next. The sweep does the same where this process has gone meanwhile.
 */
export class AnswerHolds {
  private readonly pending = new Set<Promise<void>>();

  constructor(private readonly deps: AnswerHoldsDeps) {}

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
    const reviewed = this.reviewLater(keys).catch((error: unknown) =>
      this.deps.logger?.warn({ err: error }, 'held answers could not be compared: the sweep does it'),
    );
    this.pending.add(reviewed);
    void reviewed.finally(() => this.pending.delete(reviewed));
  }

  /** Resolves when all that was considered has been reviewed. */
  async idle(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  private async reviewLater(keys: readonly number[]): Promise<void> {
    const { db, clock, verdictMetrics } = this.deps;
    await new Promise((resolve) => setTimeout(resolve, HOLD_ANSWER_MS).unref());
    const reviewed = await db.read(async (tx) => {
      const held = await holdStore.of(tx, keys);
      return held.length === 0 ? null : reviewHolds(tx, held, clock.now());
    });
    if (!reviewed?.size) return;
    const verdicts = await db.transaction((tx) => reachVerdicts(this.deps, tx, [...reviewed.keys()], reviewed));
    verdictMetrics.countChanges(verdicts);
  }
}
