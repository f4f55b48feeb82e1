import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { CheckResult } from '@watchpost/shared/outcome';
import { halvesOf } from '../../../platform/db/work-by-halves.js';
import { groupBy } from '@watchpost/shared/group-by';
import type { ReportedResults, ReportingAgent } from './ingest-batch.js';
import type { ResultWriter } from './result-writer.js';

export type ApartPorts = Pick<ResultWriter, 'ingest' | 'isOfAPart' | 'isLockConflict' | 'onUnstorable'>;

export interface ApartLimits {
  /** How long a statement waits for a row that others have locked, ms: briefly, because others wait for their turn. */
  lockTimeoutMs: number;
  /** How long results are tried again whose rows are locked, ms. */
  lockedMs: number;
}

export const APART_LIMITS: ApartLimits = { lockTimeoutMs: 100, lockedMs: 10_000 };
/** Monitors are remembered up to here. */
const KNOWN_MONITORS = 50_000;

/** Results of one owner, of one batch. */
interface Apart extends ReportedResults {
  addedAt: number;
  /** Called when they are committed or dropped. */
  onEnd(): void;
  onFailure(error: unknown): void;
}

/**
 * Stores the results of monitors whose rows are locked or whose results the database refuses, apart from all others: one
 * transaction at a time, the owners in turn, so that what one of them has locked holds up his own results only. What fails
 * is repeated by halves, down to one monitor whose rows are locked or to one result that is refused. The results of a monitor
 * keep their order: later ones come here too, until one is stored.
 */
export class ApartResults {
  /** By owner; the first one is the next. */
  private readonly lanes = new Map<string, readonly Apart[]>();
  /** The owners of the monitors whose results come here. */
  private readonly owners = new BoundedCache<number, string>(KNOWN_MONITORS);
  private isRunning = false;

  constructor(
    private readonly ports: ApartPorts,
    private readonly limits: ApartLimits = APART_LIMITS,
  ) {}

  /** Divides results into those that are stored together with others, and those that come here. */
  divide(results: readonly CheckResult[]): { usual: readonly CheckResult[]; apart: readonly CheckResult[] } {
    if (this.owners.size === 0) return { usual: results, apart: [] };
    const isApart = (result: CheckResult) => this.owners.get(keyOf(result)) !== undefined;
    return { usual: results.filter((result) => !isApart(result)), apart: results.filter(isApart) };
  }

  /**
   * Resolves when the results are committed or dropped. Rejects where their rows stay locked, or for any other reason.
   * @param owner of all of them; undefined for those that `divide` returned
   */
  add(agent: ReportingAgent, results: readonly CheckResult[], owner?: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const byOwner = groupBy(results, (result) => owner ?? this.owners.get(keyOf(result)) ?? '');
      let left = byOwner.size;
      const onEnd = () => {
        if (--left === 0) resolve();
      };
      for (const [ofOwner, own] of byOwner) {
        for (const result of own) this.owners.set(keyOf(result), ofOwner);
        const part = { agent, results: own, addedAt: performance.now(), onEnd, onFailure: reject };
        this.lanes.set(ofOwner, [...this.laneOf(ofOwner), part]);
      }
      if (!this.isRunning) void this.run();
    });
  }

  private laneOf(owner: string): readonly Apart[] {
    return this.lanes.get(owner) ?? [];
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let entry; (entry = this.lanes.entries().next().value);) {
      const [owner, [next, ...others]] = entry;
      // An entry that is set again comes once more, after all others.
      this.lanes.delete(owner);
      if (others.length > 0) this.lanes.set(owner, others);
      if (next) await this.store(owner, next);
    }
    this.isRunning = false;
  }

  private async store(owner: string, part: Apart): Promise<void> {
    const { agent, results } = part;
    try {
      await this.ports.ingest([{ agent, results }], this.limits.lockTimeoutMs);
      const waiting = new Set(this.laneOf(owner).flatMap((other) => other.results.map(keyOf)));
      for (const key of results.map(keyOf)) if (!waiting.has(key)) this.owners.delete(key);
      part.onEnd();
    } catch (error) {
      const isLocked = this.ports.isLockConflict(error);
      const isOfOneMonitor = results.every((result) => keyOf(result) === keyOf(results[0]!));
      if (isLocked && isOfOneMonitor) this.putBack(owner, part, error);
      else if (!isLocked && !this.ports.isOfAPart(error)) part.onFailure(error);
      else if (results.length > 1) this.halve(owner, part);
      else {
        this.ports.onUnstorable(error, agent, results[0]!);
        part.onEnd();
      }
    }
  }

  private halve(owner: string, part: Apart): void {
    const halves = halvesOf(part.results, (result) => String(keyOf(result)));
    let left = halves.length;
    const onEnd = () => {
      if (--left === 0) part.onEnd();
    };
    this.lanes.set(owner, [...halves.map((results) => ({ ...part, results, onEnd })), ...this.laneOf(owner)]);
  }

  /** Behind the other monitors of its owner, and before later results of its own; until it has been tried for long. */
  private putBack(owner: string, part: Apart, error: unknown): void {
    if (performance.now() - part.addedAt >= this.limits.lockedMs) return part.onFailure(error);
    const isLater = ({ results }: Apart) => results.some((result) => keyOf(result) === keyOf(part.results[0]!));
    const lane = this.laneOf(owner);
    this.lanes.set(owner, [...lane.filter((other) => !isLater(other)), part, ...lane.filter(isLater)]);
  }
}

function keyOf({ key }: CheckResult): number {
  return key.monitorKey;
}
