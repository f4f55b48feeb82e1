import type { Region } from '@watchpost/shared/region';
import { meetsQuorum, regionsVoting, type RegionVote } from './decide-region-votes.js';
import type { Quorum, Series } from '../series/series.js';

/** The state of an outage between decisions, while it continues. */
export interface OutageMemory {
  /** Regions that failed in it and have not been healthy since, including silent ones. */
  members: Region[];
  /** A failed region has become healthy again, and none has failed since. */
  recovering: boolean;
}

/**
 * `failing`: enough regions fail for an incident. `fine`: according to fresh results, not enough do. `unclear`: there are
 * no sufficient results, and the previous state continues. `removed`: it does not fail, and no region in which it did counts
 * any more, so that nobody knows whether it has recovered.
 */
export type OutageSignal = 'failing' | 'fine' | 'unclear' | 'removed';

/**
 * Since when enough regions fail for an incident: the first failure of the row of failures in the region that completed the
 * quorum. Regions that failed before it were too few; null where the failures are of former settings.
 */
export function quorumSinceMs(
  votes: ReadonlyMap<Region, RegionVote>,
  series: readonly Series[],
  quorum: Quorum,
): number | null {
  const sinceOf = (region: Region) =>
    Math.min(
      ...series.flatMap((one) =>
        one.region === region && one.failing && one.streakOutcome === 'down' ? (one.streakSinceMs ?? []) : [],
      ),
    );
  const sinceMs = regionsVoting(votes, 'failing')
    .map(sinceOf)
    .toSorted((a, b) => a - b);
  const counted = sinceMs.length + regionsVoting(votes, 'healthy').length + regionsVoting(votes, 'awaiting').length;
  const completing = sinceMs.find((_, index) => meetsQuorum(quorum, index + 1, counted));
  return completing !== undefined && Number.isFinite(completing) ? completing : null;
}

/**
 * Whether the votes make an outage, or end the present one. Silence does neither: a region that became silent while it
 * failed counts as failing until it is healthy, or all regions with fresh results are healthy and at least one failed region
 * has recovered. The removal of all its regions from the monitor ends an outage without a recovery.
 */
export function decideOutage(
  votes: ReadonlyMap<Region, RegionVote>,
  quorum: Quorum,
  ongoing: OutageMemory | null,
): { signal: OutageSignal; memory: OutageMemory } {
  const failing = regionsVoting(votes, 'failing');
  const healthy = regionsVoting(votes, 'healthy');
  const awaiting = regionsVoting(votes, 'awaiting');
  const before = (ongoing?.members ?? []).filter((region) => votes.has(region));
  const members = [...new Set([...before.filter((region) => !healthy.includes(region)), ...failing])];
  const joined = failing.some((region) => !before.includes(region));
  const left = before.some((region) => healthy.includes(region));
  const recovering = !joined && (left || (ongoing?.recovering ?? false));
  const memory = { members, recovering };

  const counted = failing.length + healthy.length + awaiting.length;
  if (meetsQuorum(quorum, failing.length, counted)) return { signal: 'failing', memory };
  if (failing.length + healthy.length === 0) return { signal: 'unclear', memory };
  if (!ongoing) return { signal: 'fine', memory };
  if (members.length === 0) return { signal: recovering ? 'fine' : 'removed', memory };
  if (!recovering) return { signal: 'unclear', memory };
  if (failing.length === 0) return { signal: 'fine', memory };
  const heldCounted = new Set([...failing, ...healthy, ...awaiting, ...members]).size;
  return { signal: meetsQuorum(quorum, members.length, heldCounted) ? 'unclear' : 'fine', memory };
}
