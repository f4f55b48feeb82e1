import type { Region } from '@watchpost/shared/region';
import type { Quorum, Series, Verdict } from '../series/series.js';

/**
 * What a region contributes to the verdict now. Only `failing` and `healthy` regions count. `awaiting`: its first results
 * are not overdue, or are failures that are too few to decide. `silent`: it has no fresh results, and nothing follows from
 * that.
 */
export type RegionVote = 'failing' | 'healthy' | 'awaiting' | 'silent';

export interface VoteContext {
  nowMs: number;
  /** Until when a region without any series is awaited. */
  awaitedUntilMs: number;
  /**
   * Suspect regions, whose failures are no vote. A success is one, because it requires a network, and so is a failure that
   * the target itself reported over verified TLS.
   */
  suspects: ReadonlySet<Region>;
}

/** A region votes by its last conclusive result, while that is fresh. */
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

/** Whether this many failing regions, of those that count, make an incident. Without a failing one they never do. */
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

/** The regions that count where the target answers: healthy ones, and failing ones where some of its addresses work. */
export function regionsAnswering(votes: ReadonlyMap<Region, RegionVote>, series: readonly Series[]): Region[] {
  return [...votes].flatMap(([region, vote]) => {
    const failing = series.filter((one) => one.region === region && one.failing);
    return vote === 'healthy' || (vote === 'failing' && failing.every(({ isPartial }) => isPartial)) ? [region] : [];
  });
}

/** The numbers of places that report something of a target at one moment. */
export interface ReportingPlaces {
  /** The number of those that count where it fails. */
  failing: number;
  /** The number of those that count where it answers, which some of those where it fails may do too. */
  answering: number;
  /** The number of those that only advise where it fails. */
  advisoryFailing: number;
}

/**
 * The verdict by the places that count; `unknown` without any. Those that only advise are left out first, and then make a
 * target that is available `partial`.
 */
export function decideReportedVerdict({ failing, answering, advisoryFailing }: ReportingPlaces): Verdict {
  if (failing > 0) return answering === 0 ? 'unavailable' : 'partial';
  if (answering === 0) return 'unknown';
  return advisoryFailing > 0 ? 'partial' : 'available';
}
