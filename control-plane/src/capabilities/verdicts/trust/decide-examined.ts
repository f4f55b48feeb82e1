import { groupBy } from '@watchpost/shared/group-by';
import { FEWEST_OWNERS } from './decide-correlated-failures.js';

/**
 * A region is examined where at least this share of its sites began to fail lately, with the same weight for every owner.
 * Where a region is suspect it is at least 0.1 of the sites that it has reached lately; this is a fifth of that, because
 * it relates to all sites that it is to check, those without a result and those that have failed for long included.
 */
export const EXAMINED_SHARE = 0.02;

/** What a failing series counts in its region. */
export interface SiteFailure {
  owner: string;
  site: string;
  /** How many sites of the owner are to be checked there. */
  ownerSites: number;
}

/**
 * Whether a region has so many failures that it is to be examined, as the database decides it.
 * @param failures of the series that began to fail lately; several may be of the same site
 * @param owners how many owners have sites that are to be checked in the region
 */
export function isShareExamined(failures: readonly SiteFailure[], owners: number): boolean {
  const byOwner = groupBy(failures, ({ owner }) => owner);
  if (byOwner.size < FEWEST_OWNERS) return false;
  let share = 0;
  for (const own of byOwner.values()) {
    const sites = new Set(own.map(({ site }) => site)).size;
    share += sites / Math.max(sites, own[0]!.ownerSites);
  }
  // The database adds them in another order.
  return share >= EXAMINED_SHARE * owners - 1e-9;
}
