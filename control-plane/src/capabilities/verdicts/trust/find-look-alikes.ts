import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { decideLookAlikes } from './decide-look-alikes.js';
import { failingSeriesStore } from './failing-series-store.js';

/** The digests of answers that look alike on unrelated sites of a region, by region. */
export async function findLookAlikes(
  tx: Tx,
  regions: readonly Region[],
  nowMs: number,
): Promise<ReadonlyMap<Region, readonly number[]>> {
  if (regions.length === 0) return new Map();
  const answers = await failingSeriesStore.answers(tx, regions, nowMs);
  return new Map([...answers].map(([region, own]) => [region, decideLookAlikes(own)]));
}
