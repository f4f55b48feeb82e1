import { expect } from 'chai';
import fc from 'fast-check';
import { REGIONS, type Region } from '@watchpost/shared/region';
import {
  decideRegionVotes,
  decideReportedVerdict,
  meetsQuorum,
  regionsAnswering,
  type RegionVote,
} from './decide-region-votes.js';
import type { Series } from '../series/series.js';

const NOW = 1_000_000_000;
const names = REGIONS.map(({ name }) => name);
const none: ReadonlySet<Region> = new Set();

function series(fields: Partial<Series>): Series {
  return {
    region: 'northeurope',
    kind: 'http',
    streak: 1,
    streakOutcome: 'up',
    streakSinceMs: NOW - 60_000,
    failing: false,
    conclusiveAtMs: NOW - 60_000,
    freshUntilMs: NOW + 90_000,
    stale: false,
    lastMessage: null,
    ...fields,
  };
}

function voteOf(fields: Partial<Series> | null, suspects = none): RegionVote {
  const own = fields === null ? [] : [series(fields)];
  return decideRegionVotes(['northeurope'], own, { nowMs: NOW, awaitedUntilMs: NOW - 1, suspects }).get('northeurope')!;
}

describe('The vote of a region', () => {
  it('is that of its last conclusive result, while that is fresh', () => {
    expect(voteOf({ failing: false })).to.equal('healthy');
    expect(voteOf({ failing: true, streakOutcome: 'down' })).to.equal('failing');
  });

  it('is silent once that result is no longer fresh, to the millisecond', () => {
    expect(voteOf({ failing: true, freshUntilMs: NOW + 1 })).to.equal('failing');
    expect(voteOf({ failing: true, freshUntilMs: NOW })).to.equal('silent');
    expect(voteOf({ failing: false, freshUntilMs: NOW })).to.equal('silent');
  });

  it('is awaiting before the first result, until that is overdue', () => {
    expect(voteOf({ conclusiveAtMs: null, failing: null, freshUntilMs: NOW + 1 })).to.equal('awaiting');
    expect(voteOf({ conclusiveAtMs: null, failing: null, freshUntilMs: NOW })).to.equal('silent');
    expect(voteOf(null)).to.equal('silent');
  });

  it('is not healthy while its only results are failures that are too few to decide', () => {
    expect(voteOf({ failing: null, streakOutcome: 'down' })).to.equal('awaiting');
  });

  it('is silent while the region is suspect', () => {
    expect(voteOf({ failing: true }, new Set(['northeurope'] as const))).to.equal('silent');
  });

  it('counts in a suspect region if the site itself reported the failure over verified TLS, while that is fresh', () => {
    const suspects = new Set(['northeurope'] as const);
    const proven = { failing: true, streakOutcome: 'down', answerVerified: true } as const;
    expect(voteOf(proven, suspects)).to.equal('failing');
    expect(voteOf({ ...proven, freshUntilMs: NOW }, suspects)).to.equal('silent');
    expect(voteOf({ ...proven, streakOutcome: 'up' }, suspects), 'its last result was another').to.equal('silent');
    expect(voteOf({ ...proven, failing: false }, suspects), 'too few in a row').to.equal('silent');
  });
});

describe('The verdict of the regions that count', () => {
  /** `partial`: a failing region where the target works at some of its addresses. */
  const verdictOf = (...given: (RegionVote | 'partial')[]) => {
    const votes = new Map(
      given.map((vote, index) => [names[index]!, vote === 'partial' ? ('failing' as const) : vote] as const),
    );
    const failing = given.flatMap((vote, index) =>
      vote === 'failing' || vote === 'partial'
        ? [series({ region: names[index]!, failing: true, isPartial: vote === 'partial' })]
        : [],
    );
    return decideReportedVerdict({
      failing: [...votes.values()].filter((vote) => vote === 'failing').length,
      answering: regionsAnswering(votes, failing).length,
      advisoryFailing: 0,
    });
  };

  it('distinguishes unavailable, partial, available and unknown', () => {
    expect(verdictOf('healthy', 'healthy')).to.equal('available');
    expect(verdictOf('failing', 'healthy')).to.equal('partial');
    expect(verdictOf('failing', 'failing', 'silent')).to.equal('unavailable');
    expect(verdictOf('silent', 'awaiting')).to.equal('unknown');
    expect(verdictOf()).to.equal('unknown');
  });

  const votes = fc.array(fc.constantFrom('failing', 'partial', 'healthy', 'awaiting', 'silent'), { maxLength: 8 });

  it('does not depend on the order of the regions', () => {
    fc.assert(fc.property(votes, (list) => verdictOf(...list) === verdictOf(...list.toReversed())));
  });

  it('is the same for one region where some addresses work as for two, of which one is healthy', () => {
    fc.assert(
      fc.property(votes, (list) => {
        const split = list.flatMap((vote) => (vote === 'partial' ? (['failing', 'healthy'] as const) : [vote]));
        expect(verdictOf(...list)).to.equal(verdictOf(...split));
      }),
    );
  });
});

describe('The quorum', () => {
  const counts = fc.tuple(fc.nat(8), fc.nat(8)).map(([failing, others]) => ({ failing, counted: failing + others }));

  it('is more than half, any, or all', () => {
    expect(meetsQuorum('majority', 1, 2)).to.equal(false);
    expect(meetsQuorum('majority', 2, 3)).to.equal(true);
    expect(meetsQuorum('any', 1, 8)).to.equal(true);
    expect(meetsQuorum('all', 7, 8)).to.equal(false);
    expect(meetsQuorum('all', 8, 8)).to.equal(true);
  });

  it('is never met without a failing region', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('any', 'majority', 'all'),
        fc.nat(8),
        (quorum, counted) => !meetsQuorum(quorum, 0, counted),
      ),
    );
  });

  it('is met more easily the less it requires', () => {
    fc.assert(
      fc.property(counts, ({ failing, counted }) => {
        const [all, majority, any] = (['all', 'majority', 'any'] as const).map((quorum) =>
          meetsQuorum(quorum, failing, counted),
        );
        expect(!all || majority).to.equal(true);
        expect(!majority || any).to.equal(true);
      }),
    );
  });

  it('is never missed because one more region fails', () => {
    fc.assert(
      fc.property(fc.constantFrom('any', 'majority', 'all'), counts, (quorum, { failing, counted }) => {
        if (failing === counted || !meetsQuorum(quorum, failing, counted)) return;
        expect(meetsQuorum(quorum, failing + 1, counted)).to.equal(true);
      }),
    );
  });
});
