import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { decideBatchSize, SIZE_LIMITS, type SizeLimits } from './decide-batch-size.js';
import type { ReportedResults, ReportingAgent } from './ingest-batch.js';

export interface JoinLimits {
  /** The least time between the starts of two joined transactions of a region, ms. Results wait for it at most. */
  everyMs: number;
  /** The most joined transactions of a region at once: one that decides verdicts takes longer, and must not delay the others. */
  atOnce: number;
  /** The most joined transactions of all regions at once: more would share the same cores, and each would wait for all. */
  atOnceInAll: number;
  /** A transaction that takes longer, ms, does not count there any more: what it waits for must not delay other regions. */
  countsForMs: number;
  /** Results in a transaction. */
  size: SizeLimits;
  /** A batch of so many results has a transaction of its own. */
  alone: number;
  /** So does one with results that are older than this, ms: a replay takes other statements. */
  lateMs: number;
}

export const JOIN_LIMITS: JoinLimits = {
  everyMs: 20,
  atOnce: 2,
  atOnceInAll: 3,
  countsForMs: 100,
  size: SIZE_LIMITS,
  alone: 250,
  lateMs: 60_000,
};

interface Waiting extends ReportedResults {
  resolve(): void;
  reject(error: unknown): void;
}

interface Lane {
  waiting: Waiting[];
  /** The most results of the next transaction. */
  size: number;
  running: number;
  startedAt: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Joins the small batches of a region's agents into one transaction, because a transaction costs more than its results. An
 * agent has one batch here at most, so that what waits is bounded by the connections, and batches are taken in the order of
 * their arrival; regions take turns. After a joined transaction fails, each of its agents has transactions of its own until one succeeds: what
 * one of them cannot store delays the others once.
 *
 * While transactions take long, because their results open incidents, each gets fewer results, and a large batch is committed
 * in parts: a change of a monitor waits for the rows that they lock. A batch that is sent again after some of its parts were
 * committed changes nothing by these.
 */
export class BatchJoiner {
  /** In the order of their turns. */
  private readonly lanes = new Map<Region, Lane>();
  /** Agents whose last batch failed. */
  private readonly apart = new Set<string>();
  /** Joined transactions that count. */
  private counted = 0;

  constructor(
    private readonly ports: {
      clock: Clock;
      /** Commits the results of agents of one region in one transaction. */
      ingest(region: Region, parts: readonly ReportedResults[]): Promise<unknown>;
    },
    private readonly limits: JoinLimits = JOIN_LIMITS,
  ) {}

  /** Resolves when the results are committed. */
  async ingest(agent: ReportingAgent, results: readonly CheckResult[]): Promise<void> {
    const lane = this.laneOf(agent.region);
    for (let from = 0; from < results.length;) {
      const part = results.slice(from, from + lane.size);
      await this.ingestPart(agent, part, lane);
      from += part.length;
    }
  }

  private async ingestPart(agent: ReportingAgent, results: readonly CheckResult[], lane: Lane): Promise<void> {
    if (this.apart.has(agent.agentId) || this.isAlone(results)) {
      await this.commit(agent.region, lane, [{ agent, results }]);
      this.apart.delete(agent.agentId);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      lane.waiting.push({ agent, results, resolve, reject });
      this.schedule(agent.region, lane);
    });
  }

  private isAlone(results: readonly CheckResult[]): boolean {
    if (results.length >= this.limits.alone) return true;
    const lateMs = this.ports.clock.now() - this.limits.lateMs;
    return results.some(({ scheduledAtMs }) => scheduledAtMs < lateMs);
  }

  private laneOf(region: Region): Lane {
    const known = this.lanes.get(region);
    if (known) return known;
    const lane = { waiting: [], size: this.limits.size.most, running: 0, startedAt: -Infinity, timer: undefined };
    this.lanes.set(region, lane);
    return lane;
  }

  private schedule(region: Region, lane: Lane): void {
    if (lane.running >= this.limits.atOnce || lane.timer || lane.waiting.length === 0 || this.isFull) return;
    const waitMs = Math.max(0, lane.startedAt + this.limits.everyMs - performance.now());
    lane.timer = setTimeout(() => {
      lane.timer = undefined;
      if (!this.isFull) void this.run(region, lane);
    }, waitMs);
  }

  private get isFull(): boolean {
    return this.counted >= this.limits.atOnceInAll;
  }

  /**
   * Counts a transaction, until it ends or has taken long.
   * @returns the function to call at its end, which begins what waits for that
   */
  private count(): () => void {
    this.counted++;
    let counts = true;
    const end = () => {
      clearTimeout(timer);
      if (counts) this.counted--;
      counts = false;
      for (const [region, lane] of this.lanes) this.schedule(region, lane);
    };
    const timer = setTimeout(end, this.limits.countsForMs);
    return end;
  }

  private async run(region: Region, lane: Lane): Promise<void> {
    lane.running++;
    lane.startedAt = performance.now();
    const ended = this.count();
    // Behind all others.
    this.lanes.delete(region);
    this.lanes.set(region, lane);
    const parts = this.take(lane);
    this.schedule(region, lane);
    try {
      await this.commit(region, lane, parts);
      for (const { resolve } of parts) resolve();
    } catch (error) {
      for (const { agent } of parts) this.apart.add(agent.agentId);
      // Not the error itself: a fault of one batch must not end the streams of the other agents.
      const failed = parts.length === 1 ? error : new Error('a joined transaction failed', { cause: error });
      for (const { reject } of parts) reject(failed);
    }
    lane.running--;
    ended();
  }

  private async commit(region: Region, lane: Lane, parts: readonly ReportedResults[]): Promise<void> {
    const startedAt = performance.now();
    await this.ports.ingest(region, parts);
    const results = parts.reduce((sum, part) => sum + part.results.length, 0);
    const elapsedMs = performance.now() - startedAt;
    lane.size = decideBatchSize(lane.size, { results, elapsedMs }, this.limits.size);
  }

  private take({ waiting, size }: Lane): Waiting[] {
    let count = 0;
    let results = 0;
    while (count < waiting.length) {
      results += waiting[count]!.results.length;
      if (count > 0 && results > size) break;
      count++;
    }
    return waiting.splice(0, count);
  }
}
