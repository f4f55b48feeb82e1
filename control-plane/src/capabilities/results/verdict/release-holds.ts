import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { decideRelease, type HeldFailure, type RegionSigns } from '../trust/decide-hold.js';
import { regionSignsStore } from '../trust/region-signs-store.js';
import { secondOpinionStore } from '../trust/second-opinion-store.js';
import type { Hold } from './decide-verdict.js';
import type { HeldMonitor } from './hold-store.js';

const NOTHING: RegionSigns = { signs: [], isComplete: false };

/**
 * Which of these held failures may open their incidents. They have to be read before an examination of the regions begins,
 * and this is to be called after it has finished without an error: so no examination that missed a failure releases it,
 * whatever the clocks of the processes show.
 * @returns the holds that end, by monitor
 */
export async function findReleases(tx: Tx, held: readonly HeldMonitor[], nowMs: number): Promise<Map<number, Hold>> {
  const opinions = await secondOpinionStore.opinionsOn(
    tx,
    held.flatMap(({ failures }) => failures),
    new Date(nowMs),
  );
  const candidates = held.map((one) => {
    const own = opinions.filter(({ monitorKey }) => monitorKey === one.monitorKey);
    const opinion = own.some(({ state }) => state === 'pending')
      ? 'pending'
      : own.some(({ state }) => state === 'confirmed')
        ? 'confirmed'
        : 'none';
    return { ...one, heldSinceMs: one.hold.heldSinceMs, opinion } satisfies HeldFailure;
  });
  const signs = await readSigns(tx, candidates, nowMs);
  return new Map(
    candidates
      .filter((one) => decideRelease(one, signs.get(one.hold.region) ?? NOTHING, nowMs))
      .map(({ monitorKey, hold }) => [monitorKey, hold]),
  );
}

/** Reads the series only where they can make a difference. */
async function readSigns(
  tx: Tx,
  candidates: readonly (HeldMonitor & HeldFailure)[],
  nowMs: number,
): Promise<Map<Region, RegionSigns>> {
  const since = new Map<Region, number>();
  for (const { opinion, endedMs, hold } of candidates)
    if (opinion === 'none') since.set(hold.region, Math.min(endedMs, since.get(hold.region) ?? Infinity));
  return since.size === 0 ? new Map() : regionSignsStore.read(tx, since, nowMs);
}
