import type { Region } from '@watchpost/shared/region';
import type { Quorum, Series, Verdict } from '../series/series.js';

/**
 * What a region has to say now. Only `failing` and `healthy` regions report. `awaiting`: its first
 * results are still to come and not overdue, or are failures, and too few to say so. `silent`: nobody can tell; nothing is concluded from it.
 */
export type RegionVote = 'failing' | 'healthy' | 'awaiting' | 'silent';

export interface VoteContext {
  nowMs: number;
  /** Until when a region is awaited that nothing at all is known of. */
  awaitedUntilMs: number;
  /**
   * Regions that cannot be trusted just now, because their agents are blind: what fails there is no vote. A check
   * that succeeds is one: nobody sees a right answer without a network. So is a failure that the target itself
   * reported over verified TLS.
   */
  suspects: ReadonlySet<Region>;
}

/** A region speaks by its last conclusive result, and only as long as that is fresh: never from the grave. */
export function decideRegionVotes(
  regions: readonly Region[],
  series: readonly Series[],
  context: VoteContext,
): Map<Region, RegionVote> {
  const votes = new Map<Region, RegionVote>();
  for (const region of regions) {
    const own = series.filter((one) => one.region === region);
    const vote = voteOf(own, context);
    votes.set(region, context.suspects.has(region) && !countsWhenSuspect(vote, own, context) ? 'silent' : vote);
  }
  return votes;
}

function countsWhenSuspect(vote: RegionVote, series: readonly Series[], { nowMs }: VoteContext): boolean {
  if (vote === 'healthy') return series.every(({ streakOutcome }) => streakOutcome !== 'down');
  return (
    vote === 'failing' &&
    series.some(
      ({ failing, streakOutcome, answerVerified, freshUntilMs }) =>
        failing && streakOutcome === 'down' && answerVerified && freshUntilMs !== null && nowMs < freshUntilMs,
    )
  );
}

function voteOf(series: readonly Series[], { nowMs, awaitedUntilMs }: VoteContext): RegionVote {
  if (series.length === 0) return nowMs < awaitedUntilMs ? 'awaiting' : 'silent';
  const current = series.filter(({ freshUntilMs }) => freshUntilMs !== null && nowMs < freshUntilMs);
  const conclusive = current.filter(({ conclusiveAtMs }) => conclusiveAtMs !== null);
  if (conclusive.some(({ failing }) => failing)) return 'failing';
  if (conclusive.some(({ failing }) => failing === false)) return 'healthy';
  return current.length > 0 ? 'awaiting' : 'silent';
}

export function regionsVoting(votes: ReadonlyMap<Region, RegionVote>, vote: RegionVote): Region[] {
  return [...votes].filter(([, own]) => own === vote).map(([region]) => region);
}

/** Whether so many failing regions, of those that count, make an incident. Nobody failing never does. */
export function meetsQuorum(quorum: Quorum, failing: number, counted: number): boolean {
  if (failing === 0) return false;
  switch (quorum) {
    case 'any':
      return true;
    case 'majority':
      return failing * 2 > counted;
    case 'all':
      return failing === counted;
  }
}

/** The verdict of the regions that report; `unknown` where none does. */
export function decideReportedVerdict(votes: ReadonlyMap<Region, RegionVote>): Verdict {
  const failing = regionsVoting(votes, 'failing').length;
  const healthy = regionsVoting(votes, 'healthy').length;
  if (failing + healthy === 0) return 'unknown';
  if (failing === 0) return 'available';
  return healthy === 0 ? 'unavailable' : 'partial';
}
