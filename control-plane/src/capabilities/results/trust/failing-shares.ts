import { regionOfCode, type Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { FEWEST_OWNERS } from './decide-correlated-failures.js';
import { isShareExamined, type SiteFailure } from './decide-examined.js';
import { failingSeriesStore, MOST_FAILING, type FailingSeries } from './failing-series-store.js';

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
    if (!failingKeys || !failingRegions) return false;
    if (failingKeys.length > MOST_FAILING) return true;
    const failing = monitorsByRegion(failingKeys, failingRegions);
    // Fewer monitors have fewer owners.
    for (const [region, monitors] of failing) if (monitors.size < FEWEST_OWNERS) failing.delete(region);
    if (failing.size === 0) return false;
    await this.read(tx, failing, nowMs);
    return [...failing].some(([region, monitors]) => {
      const known = this.failures.get(region)!;
      return isShareExamined(
        [...monitors].flatMap((key) => known.get(key) ?? []),
        this.owners.get(region) ?? 0,
      );
    });
  }

  /** Reads what is not known of these failures. */
  private async read(tx: Tx, failing: ReadonlyMap<Region, ReadonlySet<number>>, nowMs: number): Promise<void> {
    // Also where the clock was set back.
    if (Math.abs(nowMs - this.readMs) >= REMEMBERED_MS) {
      this.failures.clear();
      this.owners = await failingSeriesStore.owners(tx);
      this.readMs = nowMs;
    }
    for (const region of failing.keys()) if (!this.failures.has(region)) this.failures.set(region, new Map());
    const unknown = [...failing].flatMap(([region, monitors]) =>
      [...monitors]
        .filter((monitorKey) => !this.failures.get(region)!.has(monitorKey))
        .map((monitorKey) => ({ monitorKey, region })),
    );
    if (unknown.length === 0) return;
    const failures = await failingSeriesStore.siteFailures(tx, unknown);
    for (const [index, { monitorKey, region }] of unknown.entries())
      this.failures.get(region)!.set(monitorKey, failures[index]!);
  }
}

function monitorsByRegion(keys: readonly number[], codes: readonly number[]): Map<Region, Set<number>> {
  const byCode = new Map<number, Set<number>>();
  for (const [index, key] of keys.entries()) {
    const code = codes[index]!;
    const known = byCode.get(code);
    if (known) known.add(key);
    else byCode.set(code, new Set([key]));
  }
  return new Map([...byCode].map(([code, monitors]) => [regionOfCode(code), monitors]));
}
