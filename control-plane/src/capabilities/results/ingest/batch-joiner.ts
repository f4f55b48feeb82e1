import type { CheckResult } from '@watchpost/shared/outcome';
import { groupBy } from '@watchpost/shared/group-by';
import { halvesOf } from '../../../platform/db/work-by-halves.js';
import { APART_LIMITS, ApartResults, type ApartLimits, type ApartPorts } from './apart-results.js';
import { decideBatchSize, SIZE_LIMITS, type SizeLimits } from './decide-batch-size.js';
import type { ReportedResults, ReportingAgent } from './ingest-batch.js';
import type { ResultWriter } from './result-writer.js';

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
  /** How long a statement waits for a row that others have locked, ms, before the transaction is divided. */
  lockTimeoutMs: number;
  apart: ApartLimits;
}

export const JOIN_LIMITS: JoinLimits = {
  everyMs: 20,
  atOnce: 3,
  countsForMs: 100,
  atMost: 16,
  size: SIZE_LIMITS,
  alone: 250,
  lateMs: 60_000,
  lockTimeoutMs: 1_000,
  apart: APART_LIMITS,
};

/** Of results that are stored apart: when they are committed. */
type Rest = Promise<void>;

interface Waiting extends ReportedResults {
  /** When its results are committed, without those of the rest. */
  resolve(rest: readonly Rest[]): void;
  reject(error: unknown): void;
}

/**
 * Joins the small batches of agents into one transaction, because a transaction costs more than its results. An agent has
 * one batch here at most, so that what waits is bounded by the connections, and batches are taken in the order of their
 * arrival. A transaction that fails because of a part is repeated by halves between the owners of its results, until those that
 * fail are of one owner: they are stored apart. After it fails for another reason, each of its agents has transactions of its
 * own until one succeeds.
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
  private readonly apartResults: ApartResults;

  constructor(
    private readonly ports: ApartPorts & Pick<ResultWriter, 'clock' | 'ownersOf'>,
    private readonly limits: JoinLimits = JOIN_LIMITS,
  ) {
    this.size = limits.size.most;
    this.apartResults = new ApartResults(ports, limits.apart);
  }

  /**
   * Resolves when the results are committed.
   * @param onRest called when only those are not that are stored apart: the next batch of the agent need not wait for them
   */
  async ingest(agent: ReportingAgent, results: readonly CheckResult[], onRest?: () => void): Promise<void> {
    const rest: Rest[] = [];
    for (let from = 0; from < results.length;) {
      const part = results.slice(from, from + this.size);
      from += part.length;
      // What an earlier part has set aside stays in front of later results of the same monitors.
      const { usual, apart } = this.apartResults.divide(part);
      if (apart.length > 0) rest.push(this.storeApart(agent, apart));
      if (usual.length > 0) rest.push(...(await this.ingestPart(agent, usual)));
    }
    if (rest.length === 0) return;
    onRest?.();
    await Promise.all(rest);
  }

  private storeApart(agent: ReportingAgent, results: readonly CheckResult[], owner?: string): Rest {
    const rest = this.apartResults.add(agent, results, owner);
    // It is awaited later, or not at all where another part of the batch fails.
    rest.catch(() => undefined);
    return rest;
  }

  private async ingestPart(agent: ReportingAgent, results: readonly CheckResult[]): Promise<readonly Rest[]> {
    if (this.apart.has(agent.agentId) || this.isAlone(results)) {
      const [rest] = await this.commit([{ agent, results }]);
      this.apart.delete(agent.agentId);
      return rest!;
    }
    return new Promise((resolve, reject) => {
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
      const rests = await this.commit(parts);
      for (const [index, { resolve }] of parts.entries()) resolve(rests[index]!);
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

  /** @returns what of each part is stored apart */
  private async commit(parts: readonly ReportedResults[]): Promise<readonly (readonly Rest[])[]> {
    const startedAt = performance.now();
    try {
      await this.ports.ingest(parts, this.limits.lockTimeoutMs);
    } catch (error) {
      if (!this.ports.isOfAPart(error)) throw error;
      return this.divide(parts);
    }
    const results = parts.reduce((sum, part) => sum + part.results.length, 0);
    const elapsedMs = performance.now() - startedAt;
    this.size = decideBatchSize(this.size, { results, elapsedMs }, this.limits.size);
    return parts.map(() => []);
  }

  /** Stores by halves what failed because of a part. Larger groups come first: most are committed when the small ones fail. */
  private async divide(parts: readonly ReportedResults[]): Promise<readonly (readonly Rest[])[]> {
    const items = parts.flatMap(({ results }, part) => results.map((result) => ({ part, result })));
    const owners = await this.ports.ownersOf([...new Set(items.map(({ result }) => result.key.monitorKey))]);
    const ownerOf = ({ result: { key } }: (typeof items)[number]) => owners.get(key.monitorKey) ?? '';
    const rests = parts.map((): Rest[] => []);
    const groups: (typeof items)[] = [];
    const isOfOne = (group: typeof items) => group.every((item) => ownerOf(item) === ownerOf(group[0]!));
    const partsOf = (group: typeof items) =>
      [...groupBy(group, (item) => item.part)].map(([part, own]) => {
        return { part, agent: parts[part]!.agent, results: own.map(({ result }) => result) };
      });
    const fail = (group: typeof items) => {
      if (!isOfOne(group)) groups.push(...halvesOf(group, ownerOf).map((half) => [...half]));
      else
        for (const { part, agent, results } of partsOf(group))
          rests[part]!.push(this.storeApart(agent, results, ownerOf(group[0]!)));
    };
    fail(items);
    // Those that are added meanwhile are among them.
    for (const group of groups) {
      try {
        await this.ports.ingest(partsOf(group), this.limits.apart.lockTimeoutMs);
      } catch (error) {
        if (!this.ports.isOfAPart(error)) throw error;
        fail(group);
      }
    }
    return rests;
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
