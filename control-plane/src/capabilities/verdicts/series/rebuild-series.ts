import type { Registry } from 'prom-client';
import type { Database } from '../../../platform/db/database.js';
import { readSnapshotHolders } from '../../../platform/db/oldest-snapshot.js';
import { metricsOn } from '@watchpost/shared/metrics-on';
import { decideRebuild } from './decide-rebuild.js';
import { REBUILD_OUTCOMES, seriesTableStore, type RebuildOutcome } from './series-table-store.js';

/**
 * Writes the table of series anew where it is mostly empty: after a long snapshot its pages have room for all updates,
 * so no row ever leaves the end of it, and vacuum cannot shorten it. Results and sweeps wait meanwhile. The costs are in
 * docs/decisions/0053-snapshots-and-the-series-table.md.
 * @returns null where there was nothing to do
 */
export async function rebuildSeries({ db }: { db: Database }): Promise<RebuildOutcome | null> {
  return db.read(async (tx) => {
    const table = await seriesTableStore.size(tx);
    if (!decideRebuild(table, await readSnapshotHolders(tx))) return null;
    return seriesTableStore.rebuild(tx);
  });
}

/** The job that calls it, with its metrics. */
export function seriesRebuilder(registry: Registry, deps: { db: Database }): () => Promise<void> {
  const { countedBy, shown } = metricsOn(registry);
  const countRebuild = countedBy(
    'outcome',
    REBUILD_OUTCOMES,
    'watchpost_series_rebuilds_total',
    'Attempts to shrink the table of series, by outcome: done, busy (no lock in time), too_slow',
  );
  shown('watchpost_series_table_bytes', 'Size of the table of series; some 220 bytes for each are usual', async () => {
    // While the database is unavailable the other metrics are still served.
    const table = await deps.db.read((tx) => seriesTableStore.size(tx)).catch(() => null);
    return table && table.bytes;
  });
  return async () => {
    const outcome = await rebuildSeries(deps);
    if (outcome) countRebuild(outcome);
  };
}
