import { HOUR_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { markDirtyBuckets } from '../../verdicts/index.js';

/** An hour stays open for this long after its end: until then results do not mark it as dirty. */
export const HOUR_OPEN_MS = 60_000;

/** Results scheduled before this mark their hour as dirty, because it may be closed. */
function openFrom(nowMs: number): number {
  return Math.floor((nowMs - HOUR_OPEN_MS) / HOUR_MS) * HOUR_MS;
}

/** Marks the hours of late results as dirty, in the transaction that writes them. */
export async function markLateBuckets(
  tx: Tx,
  nowMs: number,
  results: readonly { result: { key: { monitorKey: number }; scheduledAtMs: number } }[],
): Promise<void> {
  const openMs = openFrom(nowMs);
  const late = results.filter(({ result }) => result.scheduledAtMs < openMs);
  await markDirtyBuckets(
    tx,
    late.map(({ result: { key, scheduledAtMs } }) => ({
      monitorKey: key.monitorKey,
      startsMs: Math.floor(scheduledAtMs / HOUR_MS) * HOUR_MS,
    })),
  );
}
