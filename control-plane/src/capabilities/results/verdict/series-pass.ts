import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { RegionSeriesCounts } from '../series/results-metrics.js';
import { type AwaitedSeries, silenceStore } from './silence-store.js';

/**
 * How long one pass over all series takes. Less than the time for which a result is fresh, at least 2 minutes: whatever is
 * written behind the pass is read again before it can be overdue.
 */
const PASS_MS = MINUTE_MS;
/** Series that turn overdue within this time are remembered: until they are read again, and a few sweeps more. */
const HORIZON_MS = PASS_MS + 15 * SECOND_MS;
/** A table of up to so many blocks (0.5 MB, some 2,500 series) is read whole each time. */
const LEAST_BLOCKS = 64;
/** The most blocks of one statement, some 300,000 series: 0.1 s. */
const MOST_BLOCKS = 8_192;
/**
 * The most series that are remembered; further ones are found by the next pass. Of series that are checked once a minute,
 * about a quarter is remembered at any time, because a result is fresh for a minute more than the time to the next one.
 */
const MOST_AWAITED = 400_000;

/**
 * Finds the series whose next result is overdue. An index on the time would make each result write it, so the table is
 * read instead: slowly, in the order of its blocks, all of it once a minute. What turns overdue before it is read again is
 * remembered with its time, so silence is noticed at once and costs as much as there is of it. The costs are in
 * docs/decisions/0044-one-sweep-for-silence.md.
 */
export class SeriesPass {
  private nextBlock = 0;
  private blocks = 0;
  private file: number | undefined;
  private isFirst = true;
  private steppedMs = 0;
  private counts = new Map<Region, RegionSeriesCounts>();
  private readonly awaited = new Map<string, AwaitedSeries>();

  /**
   * Reads the next part of the table, as large as the time since the last call requires; the first time the whole table,
   * and again where the table was written anew, which may have moved unread rows to blocks that have been read.
   * @returns the counts of all series, where a pass has ended; and whether there are verdicts to decide
   */
  async step(tx: Tx, nowMs: number): Promise<{ counts?: Map<Region, RegionSeriesCounts>; hasToDecide: boolean }> {
    let left = this.isFirst ? Infinity : this.blocksFor(nowMs - this.steppedMs);
    let ended: Map<Region, RegionSeriesCounts> | undefined;
    let hasToDecide = false;
    this.steppedMs = nowMs;
    while (left > 0 && !ended) {
      const count = Math.min(left, MOST_BLOCKS);
      const until = this.nextBlock + count;
      const part = await silenceStore.readPart(tx, this.nextBlock, until, nowMs, nowMs + HORIZON_MS);
      hasToDecide ||= part.hasToDecide;
      const isMoved = this.file !== undefined && part.file !== this.file;
      this.file = part.file;
      if (isMoved && this.nextBlock > 0) {
        this.nextBlock = 0;
        this.counts = new Map();
        left = Infinity;
        continue;
      }
      left -= count;
      if (isMoved) left = Infinity;
      this.blocks = part.blocks;
      this.nextBlock = until;
      for (const { awaited, region, ...counts } of part.regions) {
        this.counts.set(region, sum(this.counts.get(region), counts));
        for (const series of awaited) if (this.awaited.size < MOST_AWAITED) this.awaited.set(keyOf(series), series);
      }
      if (until < part.blocks) continue;
      ended = this.counts;
      this.counts = new Map();
      this.nextBlock = 0;
      this.isFirst = false;
    }
    return { ...(ended && { counts: ended }), hasToDecide };
  }

  /** The remembered series that are overdue by now unless a result has arrived meanwhile, at most `limit`. */
  overdue(nowMs: number, limit: number): AwaitedSeries[] {
    const overdue: AwaitedSeries[] = [];
    for (const series of this.awaited.values()) {
      if (series.freshUntilMs > nowMs) continue;
      overdue.push(series);
      if (overdue.length === limit) break;
    }
    return overdue;
  }

  /** Forgets these series, apart from those that could not be marked because a batch has locked them. */
  settle(overdue: readonly AwaitedSeries[], locked: readonly AwaitedSeries[]): void {
    for (const one of overdue) this.awaited.delete(keyOf(one));
    for (const one of locked) this.awaited.set(keyOf(one), one);
  }

  private blocksFor(ms: number): number {
    return Math.max(LEAST_BLOCKS, Math.ceil((this.blocks * ms) / PASS_MS));
  }
}

function keyOf({ monitorKey, kind, region }: AwaitedSeries): string {
  return `${monitorKey} ${kind} ${region}`;
}

function sum(a: RegionSeriesCounts | undefined, b: RegionSeriesCounts): RegionSeriesCounts {
  if (!a) return b;
  return {
    checks: a.checks + b.checks,
    stale: a.stale + b.stale,
    failing: a.failing + b.failing,
    silentS: Math.max(a.silentS, b.silentS),
  };
}
