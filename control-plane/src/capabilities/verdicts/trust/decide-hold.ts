import { FEWEST_OWNERS } from './decide-correlated-failures.js';
import { IndependentCount, type Keyed } from './independent-count.js';
import { OwnerShare } from './owner-share.js';

/** After this time a held failure is decided even if no examination has finished, or second opinions are outstanding. */
export const HOLD_MOST_MS = 30_000;
/** How long a failure is held while other failures could still show that its region is blind; longer while they do. */
export const HOLD_UNCLEAR_MS = 10_000;
/**
 * How long a failure is held that follows from an answer of the site, which shows that the region sees: for as long as other
 * sites of a region in which a device on the way answers for all take to give the same answer.
 */
export const HOLD_ANSWER_MS = 1_500;
/** After this time it is decided even if it could not be compared with other answers. */
export const HOLD_ANSWER_MOST_MS = 2_000;
/** Shorter than it takes to ask for a second opinion in a process that is busy. */
const HOLD_LEAST_MS = 1_000;
/** By how much the clocks of agents and control plane may differ. */
const CLOCK_SLACK_MS = 2_000;
/** A region that missed no more than this share of what it checked after the failure has a network. */
const CLEAR_SHARE = 0.2;
/** One that missed as much as this may have none. */
const BLIND_SHARE = 0.5;

/** What the examined series of a region show of one site of one owner. */
export interface RegionSign {
  owner: string;
  site: string;
  /** Start of the newest check that reached it, and of the newest one that did not; null: none since the failure. */
  reachedMs: number | null;
  missedMs: number | null;
  /** It began to fail lately. */
  isFailing: boolean;
  /** When its next check is due; in the past while that check runs. */
  dueMs: number;
}

export interface RegionSigns {
  signs: readonly RegionSign[];
  /** Whether these are all sites of the region, and not a sample of those that were checked after the failure. */
  isComplete: boolean;
}

export interface HeldFailure {
  heldSinceMs: number;
  /** When its check ended: from then on a check that reaches its site shows that the network is not lost. */
  endedMs: number;
  /** `confirmed`: the site is down for another region too. `none`: none was asked for, or it confirmed nothing. */
  opinion: 'pending' | 'confirmed' | 'none';
  /** Whether it follows from an answer: of the site's own, or one that unrelated sites give too. */
  answer: 'own' | 'alike' | 'none';
}

/**
 * Whether a held failure may open its incident, after an examination of the regions that began after the failure was stored
 * has found its region not suspect. It is released early only if the region has been seen to reach unrelated sites since,
 * or if too few owners have a check until the end of the hold for a blind region to be recognised: so whatever would make
 * the region suspect within `HOLD_UNCLEAR_MS` still does so before the failure opens its incident. Where the region misses
 * most of what it checks, it is held until the region is suspect, or for `HOLD_MOST_MS`. An answer of the site's own waits for
 * nothing but the same answer of others.
 */
export function decideRelease(
  { heldSinceMs, endedMs, opinion, answer }: HeldFailure,
  { signs, isComplete }: RegionSigns,
  nowMs: number,
): boolean {
  const heldMs = nowMs - heldSinceMs;
  if (answer === 'own') return heldMs >= HOLD_ANSWER_MS;
  if (opinion === 'pending' || heldMs < HOLD_LEAST_MS) return false;
  if (opinion === 'confirmed') return true;
  const { reachedSites, missedOwners, missedShare } = countSince(signs, endedMs);
  if (heldMs >= HOLD_UNCLEAR_MS) return missedOwners + 1 < FEWEST_OWNERS || missedShare < BLIND_SHARE;
  if (reachedSites >= FEWEST_OWNERS && missedShare <= CLEAR_SHARE) return true;
  return isComplete && !canBeRecognised(signs, heldSinceMs + HOLD_UNCLEAR_MS);
}

/** What checks that started after this moment reached and missed; the sites reached are independent of each other. */
function countSince(
  signs: readonly RegionSign[],
  sinceMs: number,
): { reachedSites: number; missedOwners: number; missedShare: number } {
  const isAfter = (ms: number | null) => ms !== null && ms > sinceMs;
  const reached = new IndependentCount<Keyed>();
  const missed = new Set<string>();
  const share = new OwnerShare();
  for (const { owner, site, reachedMs, missedMs } of signs) {
    if (isAfter(reachedMs)) reached.add({ keys: [`owner ${owner}`, `site ${site}`] });
    if (isAfter(missedMs)) missed.add(owner);
    if (isAfter(reachedMs) || isAfter(missedMs)) share.add(owner, Number(isAfter(missedMs)), 1);
  }
  return { reachedSites: reached.size, missedOwners: missed.size, missedShare: share.value };
}

/** Whether enough owners have a site that fails, or is checked by then, for the region to become suspect. */
function canBeRecognised(signs: readonly RegionSign[], untilMs: number): boolean {
  const owners = new Set<string>();
  for (const { owner, isFailing, dueMs } of signs)
    if (isFailing || dueMs <= untilMs + CLOCK_SLACK_MS) owners.add(owner);
  return owners.size >= FEWEST_OWNERS;
}
