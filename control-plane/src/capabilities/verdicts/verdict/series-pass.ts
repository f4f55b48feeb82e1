import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { RegionSeriesCounts } from '../series/verdict-metrics.js';
import { RepeatedScan } from './repeated-scan.js';
import { type AwaitedSeries, silenceStore } from './silence-store.js';

/**
 * How long one pass over all series takes. Less than the time for which a result is fresh, two intervals and the timeout:
 * whatever is written behind the pass is read again before it can be overdue.
 */
const PASS_MS = 48 * SECOND_MS;
/**
 * Series that turn overdue within this time are remembered: until they are read again, and a few sweeps more. One that is
 * checked once a minute is still fresh for a minute and its timeout when its next result is due, so only those are
 * remembered that are late.
 */
const HORIZON_MS = PASS_MS + 10 * SECOND_MS;
/** How long the count of all series takes, for the metrics. It costs three times as much for each series. */
const COUNT_MS = 3 * MINUTE_MS;
/** The most series that are remembered; further ones are found by the next pass. */
const MOST_AWAITED = 400_000;

/**
 * Finds the series whose next result is overdue. An index on the time would make each result write it, so the table is
 * read instead: slowly, in the order of its blocks, again and again. What turns overdue before it is read again is
 * remembered with its time, so silence is noticed at once and costs as much as there is of it. The costs are in
 * docs/decisions/0044-one-sweep-for-silence.md.
 */
export class SeriesPass {
  private readonly awaiting = new RepeatedScan(PASS_MS);
  private readonly counting = new RepeatedScan(COUNT_MS);
  private file: number | undefined;
  private steppedMs = 0;
  private counts = new Map<Region, RegionSeriesCounts>();
  private readonly awaited = new Map<string, AwaitedSeries>();

  /**
   * Reads the next parts of the table, as large as the time since the last call requires; the first time the whole table,
   * and again where the table was written anew, which may have moved unread rows to blocks that have been read.
   * @returns the counts of all series, where these are complete; and whether there are verdicts to decide
   */
  async step(tx: Tx, nowMs: number): Promise<{ counts?: Map<Region, RegionSeriesCounts>; hasToDecide: boolean }> {
    const { awaiting, counting } = this;
    let counts: Map<Region, RegionSeriesCounts> | undefined;
    let hasToDecide = false;
    awaiting.advance(nowMs - this.steppedMs);
    counting.advance(nowMs - this.steppedMs);
    this.steppedMs = nowMs;
    while (awaiting.isDue || counting.isDue) {
      const ranges = { awaited: awaiting.range, counted: counting.range };
      const part = await silenceStore.readPart(tx, ranges, nowMs, nowMs + HORIZON_MS);
      hasToDecide ||= part.hasToDecide;
      const isMoved = this.file !== undefined && part.file !== this.file;
      this.file = part.file;
      if (isMoved) {
        awaiting.restart();
        counting.restart();
        this.counts = new Map();
        continue;
      }
      for (const series of part.awaited) if (this.awaited.size < MOST_AWAITED) this.awaited.set(keyOf(series), series);
      for (const [region, of] of part.counts) this.counts.set(region, sum(this.counts.get(region), of));
      awaiting.pass(part.blocks);
      if (!counting.pass(part.blocks)) continue;
      counts = this.counts;
      this.counts = new Map();
    }
    return { ...(counts && { counts }), hasToDecide };
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
