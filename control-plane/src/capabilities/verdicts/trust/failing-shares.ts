import { isLocation, regionOfCode, type Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import { FEWEST_OWNERS } from './decide-correlated-failures.js';
import { isShareExamined, type SiteFailure } from './decide-examined.js';
import { failingSeriesStore, MOST_FAILING, type FailingSeries, type SeriesInRegion } from './failing-series-store.js';

/** How long is remembered what failures count: where an owner's sites become fewer, its share is too small until then. */
const REMEMBERED_MS = MINUTE_MS;

/**
 * Whether regions have so many failures that they are to be examined. In a large installation thousands of series always
 * fail, and nearly all of them did so at the last look: what a failure counts is read only of the others. See
 * docs/decisions/0044-one-sweep-for-silence.md.
 */
export class FailingShares {
  /** By region and monitor; null where the monitor is deleted. */
  private readonly failures = new Map<Region, Map<number, SiteFailure | null>>();
  private owners: ReadonlyMap<Region, number> = new Map();
  private readMs = -Infinity;

  /**
   * Whether there are regions to examine: those that `failingSeriesStore.failingRegions` finds. Where more series fail than
   * a look reads, that is not decided here, and the answer is yes.
   */
  async areExamined(tx: Tx, { failingKeys, failingRegions }: FailingSeries, nowMs: number): Promise<boolean> {
    if (failingKeys.length > MOST_FAILING) return true;
    const series = failingKeys.map((monitorKey, index): SeriesInRegion => ({
      monitorKey,
      region: regionOfCode(failingRegions[index]!),
    }));
    // Fewer series have fewer owners; the code of a location names another one in each workspace.
    const regions = [...groupBy(series, ({ region }) => region)].filter(
      ([region, own]) => !isLocation(region) && own.length >= FEWEST_OWNERS,
    );
    if (regions.length === 0) return false;
    await this.read(
      tx,
      regions.flatMap(([, own]) => own),
      nowMs,
    );
    return regions.some(([region, own]) => {
      const known = this.failures.get(region)!;
      return isShareExamined(
        own.flatMap(({ monitorKey }) => known.get(monitorKey) ?? []),
        this.owners.get(region) ?? 0,
      );
    });
  }

  /** Reads what is not known of these failures. */
  private async read(tx: Tx, series: readonly SeriesInRegion[], nowMs: number): Promise<void> {
    // Also where the clock was set back.
    if (Math.abs(nowMs - this.readMs) >= REMEMBERED_MS) {
      this.failures.clear();
      this.owners = await failingSeriesStore.owners(tx);
      this.readMs = nowMs;
    }
    const unknown = series.filter(({ monitorKey, region }) => !this.failures.get(region)?.has(monitorKey));
    if (unknown.length === 0) return;
    const failures = await failingSeriesStore.siteFailures(tx, unknown);
    for (const [index, { monitorKey, region }] of unknown.entries()) {
      const known = this.failures.get(region) ?? new Map<number, SiteFailure | null>();
      this.failures.set(region, known.set(monitorKey, failures[index]!));
    }
  }
}
