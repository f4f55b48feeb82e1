import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import { decideBatchSize, SIZE_LIMITS, type SizeLimits } from './decide-batch-size.js';
import type { ReportedResults, ReportingAgent } from './ingest-batch.js';

export interface JoinLimits {
  /** The least time between the starts of two joined transactions, ms, unless the results of a whole one wait. */
  everyMs: number;
  /** The most joined transactions at once: more would share the same cores, and each would wait for all. */
  atOnce: number;
  /** A transaction that takes longer, ms, does not count there any more: what it waits for must not delay others. */
  countsForMs: number;
  /** The most joined transactions at once, however long they take. */
  atMost: number;
  /** Results in a transaction. */
  size: SizeLimits;
  /** A batch of so many results has a transaction of its own. */
  alone: number;
  /** So does one with results that are older than this, ms: a replay takes other statements. */
  lateMs: number;
}

export const JOIN_LIMITS: JoinLimits = {
  everyMs: 20,
  atOnce: 3,
  countsForMs: 100,
  atMost: 16,
  size: SIZE_LIMITS,
  alone: 250,
  lateMs: 60_000,
};

interface Waiting extends ReportedResults {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Joins the small batches of agents into one transaction, because a transaction costs more than its results. An agent has
 * one batch here at most, so that what waits is bounded by the connections, and batches are taken in the order of their
 * arrival. After a joined transaction fails, each of its agents has transactions of its own until one succeeds: what one of
 * them cannot store delays the others once.
 *
 * While transactions take long, because their results open incidents, each gets fewer results, and a large batch is committed
 * in parts: a change of a monitor waits for the rows that they lock. A batch that is sent again after some of its parts were
 * committed changes nothing by these.
 */
export class BatchJoiner {
  private readonly waiting: Waiting[] = [];
  private waitingResults = 0;
  /** Agents whose last batch failed. */
  private readonly apart = new Set<string>();
  /** The most results of the next transaction. */
  private size: number;
  private running = 0;
  /** Those of the running transactions that have not taken long. */
  private counted = 0;
  private startedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ports: {
      clock: Clock;
      /** Commits the results of agents in one transaction. */
      ingest(parts: readonly ReportedResults[]): Promise<unknown>;
    },
    private readonly limits: JoinLimits = JOIN_LIMITS,
  ) {
    this.size = limits.size.most;
  }

  /** Resolves when the results are committed. */
  async ingest(agent: ReportingAgent, results: readonly CheckResult[]): Promise<void> {
    for (let from = 0; from < results.length;) {
      const part = results.slice(from, from + this.size);
      await this.ingestPart(agent, part);
      from += part.length;
    }
  }

  private async ingestPart(agent: ReportingAgent, results: readonly CheckResult[]): Promise<void> {
    if (this.apart.has(agent.agentId) || this.isAlone(results)) {
      await this.commit([{ agent, results }]);
      this.apart.delete(agent.agentId);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      this.waiting.push({ agent, results, resolve, reject });
      this.waitingResults += results.length;
      this.schedule();
    });
  }

  private isAlone(results: readonly CheckResult[]): boolean {
    if (results.length >= this.limits.alone) return true;
    const lateMs = this.ports.clock.now() - this.limits.lateMs;
    return results.some(({ scheduledAtMs }) => scheduledAtMs < lateMs);
  }

  private schedule(): void {
    const { atOnce, atMost, everyMs } = this.limits;
    if (this.waiting.length === 0 || this.counted >= atOnce || this.running >= atMost) return;
    if (this.waitingResults >= this.size) void this.run();
    else this.timer ??= setTimeout(() => void this.run(), Math.max(0, this.startedAt + everyMs - performance.now()));
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.startedAt = performance.now();
    this.running++;
    const uncount = this.count();
    const parts = this.take();
    this.schedule();
    try {
      await this.commit(parts);
      for (const { resolve } of parts) resolve();
    } catch (error) {
      for (const { agent } of parts) this.apart.add(agent.agentId);
      // Not the error itself: a fault of one batch must not end the streams of the other agents.
      const failed = parts.length === 1 ? error : new Error('a joined transaction failed', { cause: error });
      for (const { reject } of parts) reject(failed);
    }
    this.running--;
    uncount();
    this.schedule();
  }

  /** Counts a transaction until it has taken long. @returns the function to call at its end */
  private count(): () => void {
    this.counted++;
    let counts = true;
    const uncount = () => {
      clearTimeout(timer);
      if (counts) this.counted--;
      counts = false;
    };
    const timer = setTimeout(() => {
      uncount();
      this.schedule();
    }, this.limits.countsForMs);
    return uncount;
  }

  private async commit(parts: readonly ReportedResults[]): Promise<void> {
    const startedAt = performance.now();
    await this.ports.ingest(parts);
    const results = parts.reduce((sum, part) => sum + part.results.length, 0);
    const elapsedMs = performance.now() - startedAt;
    this.size = decideBatchSize(this.size, { results, elapsedMs }, this.limits.size);
  }

  private take(): Waiting[] {
    let count = 0;
    let results = 0;
    for (const { results: own } of this.waiting) {
      if (count > 0 && results + own.length > this.size) break;
      results += own.length;
      count++;
    }
    this.waitingResults -= results;
    return this.waiting.splice(0, count);
  }
}
