import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { ReportedResults, ReportingAgent } from './ingest-batch.js';

export interface JoinLimits {
  /** The least time between the starts of two joined transactions of a region, ms. Results wait for it at most. */
  everyMs: number;
  /** Results in a joined transaction. */
  results: number;
  /** A batch of so many results has a transaction of its own. */
  alone: number;
  /** So does one with results that are older than this, ms: a replay takes other statements. */
  lateMs: number;
}

export const JOIN_LIMITS: JoinLimits = { everyMs: 20, results: 1_000, alone: 250, lateMs: 60_000 };

interface Waiting extends ReportedResults {
  resolve(): void;
  reject(error: unknown): void;
}

interface Lane {
  waiting: Waiting[];
  running: boolean;
  startedAt: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Joins the small batches of a region's agents into one transaction, because a transaction costs more than its results. An
 * agent has one batch here at most, so that what waits is bounded by the connections, and batches are taken in the order of
 * their arrival. After a joined transaction fails, each of its agents has transactions of its own until one succeeds: what
 * one of them cannot store delays the others once.
 */
export class BatchJoiner {
  private readonly lanes = new Map<Region, Lane>();
  /** Agents whose last batch failed. */
  private readonly apart = new Set<string>();

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
    if (this.apart.has(agent.agentId) || this.isAlone(results)) {
      await this.ports.ingest(agent.region, [{ agent, results }]);
      this.apart.delete(agent.agentId);
      return;
    }
    const lane = this.laneOf(agent.region);
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
    const lane = { waiting: [], running: false, startedAt: -Infinity, timer: undefined };
    this.lanes.set(region, lane);
    return lane;
  }

  private schedule(region: Region, lane: Lane): void {
    if (lane.running || lane.timer || lane.waiting.length === 0) return;
    const waitMs = Math.max(0, lane.startedAt + this.limits.everyMs - performance.now());
    lane.timer = setTimeout(() => {
      lane.timer = undefined;
      void this.run(region, lane);
    }, waitMs);
  }

  private async run(region: Region, lane: Lane): Promise<void> {
    lane.running = true;
    lane.startedAt = performance.now();
    const parts = this.take(lane);
    try {
      await this.ports.ingest(region, parts);
      for (const { resolve } of parts) resolve();
    } catch (error) {
      for (const { agent } of parts) this.apart.add(agent.agentId);
      // Not the error itself: a fault of one batch must not end the streams of the other agents.
      const failed = parts.length === 1 ? error : new Error('a joined transaction failed', { cause: error });
      for (const { reject } of parts) reject(failed);
    }
    lane.running = false;
    this.schedule(region, lane);
  }

  private take({ waiting }: Lane): Waiting[] {
    let count = 0;
    let results = 0;
    while (count < waiting.length) {
      results += waiting[count]!.results.length;
      if (count > 0 && results > this.limits.results) break;
      count++;
    }
    return waiting.splice(0, count);
  }
}
