import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { decideRelease, HOLD_MOST_MS, type HeldFailure, type RegionSigns } from '../trust/decide-hold.js';
import { findLookAlikes } from '../trust/find-look-alikes.js';
import { regionSignsStore } from '../trust/region-signs-store.js';
import { secondOpinionStore } from '../trust/second-opinion-store.js';
import type { Hold } from './decide-verdict.js';
import type { HeldMonitor } from './hold-store.js';

const NOTHING: RegionSigns = { signs: [], isComplete: false };

/**
 * Which of these holds end, and which last longer, because unrelated sites give the same answer. They have to be read before
 * an examination of the regions begins, and this is to be called after it has finished without an error: so no examination
 * that missed a failure releases it, whatever the clocks of the processes show. Answers of a site's own need no examination.
 * @returns the holds with another end than before, by monitor
 */
export async function reviewHolds(tx: Tx, held: readonly HeldMonitor[], nowMs: number): Promise<Map<number, Hold>> {
  const opinions = await secondOpinionStore.opinionsOn(
    tx,
    held.flatMap(({ failures }) => failures),
    new Date(nowMs),
  );
  const regions = new Set(held.flatMap(({ digests, hold }) => (digests.length > 0 ? [hold.region] : [])));
  const alike = await findLookAlikes(tx, [...regions], nowMs);
  const candidates = held.map((one) => {
    const own = opinions.filter(({ monitorKey }) => monitorKey === one.monitorKey);
    const opinion = own.some(({ state }) => state === 'pending')
      ? 'pending'
      : own.some(({ state }) => state === 'confirmed')
        ? 'confirmed'
        : 'none';
    const known = alike.get(one.hold.region) ?? [];
    const answer =
      one.digests.length === 0 ? 'none' : one.digests.every((digest) => known.includes(digest)) ? 'alike' : 'own';
    return { ...one, heldSinceMs: one.hold.heldSinceMs, opinion, answer } satisfies HeldFailure;
  });
  const signs = await readSigns(tx, candidates, [...alike.values()].flat(), nowMs);
  const reviewed = new Map<number, Hold>();
  for (const one of candidates) {
    const { monitorKey, hold, answer } = one;
    const longestMs = hold.heldSinceMs + HOLD_MOST_MS;
    if (decideRelease(one, signs.get(hold.region) ?? NOTHING, nowMs))
      reviewed.set(monitorKey, { ...hold, untilMs: nowMs });
    else if (answer === 'alike' && hold.untilMs !== longestMs)
      reviewed.set(monitorKey, { ...hold, untilMs: longestMs });
  }
  return reviewed;
}

/** Reads the series only where they can make a difference. */
async function readSigns(
  tx: Tx,
  candidates: readonly (HeldMonitor & HeldFailure)[],
  alike: readonly number[],
  nowMs: number,
): Promise<Map<Region, RegionSigns>> {
  const since = new Map<Region, number>();
  for (const { opinion, answer, endedMs, hold } of candidates)
    if (opinion === 'none' && answer !== 'own')
      since.set(hold.region, Math.min(endedMs, since.get(hold.region) ?? Infinity));
  return since.size === 0 ? new Map() : regionSignsStore.read(tx, since, alike, nowMs);
}
