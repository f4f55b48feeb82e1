import type { Tx } from '../../../platform/db/database.js';
import type { ResultOfRegion } from '../series/series.js';
import { findingStore, keyOfSeries, type SeriesFindings } from './finding-store.js';
import { decideAddressChanges } from './decide-address-changes.js';

/**
 * Stores what checks found about single addresses, steps and packets, in the transaction of ingest. The checks of most monitors find nothing, and
 * cost nothing here. Late results change nothing.
 * @param results those of a batch, by monitor, kind, region and time
 */
export async function keepFindings(tx: Tx, results: readonly ResultOfRegion[]): Promise<void> {
  const found = results.filter(
    ({ result }) => result.addresses ?? result.addressWarnings ?? result.steps ?? result.ping,
  );
  if (found.length === 0) return;
  const known = await findingStore.lock(
    tx,
    found.map(({ result, region }) => ({ ...result.key, region })),
  );
  const changed = new Map<string, SeriesFindings>();
  for (const { result, region } of found) {
    const series = { ...result.key, region };
    const name = keyOfSeries(series);
    const before = changed.get(name) ?? known.get(name);
    const { scheduledAtMs, addresses = [], addressWarnings: warnings = [], steps = null, ping = null } = result;
    if (before && before.scheduledAtMs >= scheduledAtMs) continue;
    const now = decideAddressChanges(before?.addresses ?? [], addresses, scheduledAtMs);
    changed.set(name, { ...series, scheduledAtMs, addresses: now, warnings, steps, ping });
  }
  if (changed.size > 0) await findingStore.save(tx, [...changed.values()]);
}
