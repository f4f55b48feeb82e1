import { expect } from 'chai';
import fc from 'fast-check';
import { SECOND_MS } from '@watchpost/shared/time';
import {
  decideCalm,
  decideCorrelatedFailures,
  FEWEST_OWNERS,
  SUSPECT_WINDOW_MS,
  type SiteObservation,
} from './decide-correlated-failures.js';

const NOW = Date.UTC(2026, 10, 21, 12);

/** A site that shares nothing with sites of other indexes. */
function observation(index: number, fields: Partial<SiteObservation>): SiteObservation {
  return {
    owner: `owner-${index}`,
    site: `site-${index}.test`,
    network: `203.0.${index}.0/24`,
    failingSinceMs: null,
    reachedMs: null,
    notReachedMs: fields.failingSinceMs ?? null,
    elsewhere: null,
    ...fields,
  };
}
const many = (count: number, fields: (index: number) => Partial<SiteObservation>, from = 0) =>
  Array.from({ length: count }, (_, index) => observation(from + index, fields(index)));
const failing = (
  count: number,
  fields: Partial<SiteObservation> | ((index: number) => Partial<SiteObservation>) = {},
) =>
  many(count, (index) => ({
    failingSinceMs: NOW - 30 * SECOND_MS + index * SECOND_MS,
    reachedMs: NOW - 120 * SECOND_MS,
    ...(typeof fields === 'function' ? fields(index) : fields),
  }));
const healthy = (count: number, agoMs = 5 * SECOND_MS, fields: Partial<SiteObservation> = {}) =>
  many(count, () => ({ reachedMs: NOW - agoMs, ...fields }), 1_000);

const moment = fc.integer({ min: NOW - 2 * SUSPECT_WINDOW_MS, max: NOW });
const some = (name: string, count: number) =>
  fc.constantFrom(...Array.from({ length: count }, (_, index) => `${name}-${index}`));
interface Shape {
  owners?: number;
  sites?: number;
  networks?: number;
  most?: number;
}
/** Observations of a region. In every other sample nearly all sites fail since a minute ago, as after the loss of its network. */
const anySitesOf = ({ owners = 30, sites = 60, networks = 60, most = 40 }: Shape = {}) => {
  const recent = fc.integer({ min: NOW - 60 * SECOND_MS, max: NOW });
  const before = fc.integer({ min: NOW - 120 * SECOND_MS, max: NOW - 60 * SECOND_MS });
  const site = (failingSinceMs: fc.Arbitrary<number | null>, reachedMs: fc.Arbitrary<number | null>, ups: number) =>
    fc.record({
      owner: some('owner', owners),
      site: some('site', sites),
      network: fc.option(some('network', networks), { freq: 8 }),
      failingSinceMs,
      reachedMs,
      notReachedMs: fc.option(moment),
      elsewhere: fc.constantFrom(...Array<'up'>(ups).fill('up'), 'down' as const, 'pending' as const, null, null),
    });
  const calm = site(fc.option(fc.oneof(moment, recent)), fc.option(moment, { freq: 2 }), 2);
  const lost = site(fc.option(recent, { freq: 20 }), fc.option(before), 12);
  return fc.oneof(fc.array(calm, { maxLength: most }), fc.array(lost, { minLength: most / 2, maxLength: most }));
};
const anySites = anySitesOf();

describe('A region is suspect', () => {
  it('when unrelated sites fail there together and are up elsewhere', () => {
    const found = decideCorrelatedFailures([...failing(6, { elsewhere: 'up' }), ...healthy(10, 60 * SECOND_MS)], NOW);
    expect(found).to.deep.equal({
      onsetMs: NOW - 30 * SECOND_MS,
      failingSites: 6,
      failingShare: 1,
      upElsewhere: 6,
      downElsewhere: 0,
      pendingElsewhere: 0,
    });
  });

  it('when no other region checks the sites, and all of them fail at once, of implausibly many owners', () => {
    expect(decideCorrelatedFailures(failing(8), NOW)).to.include({ failingSites: 8 });
  });

  it('because of names that do not resolve too: they have no network in common', () => {
    expect(decideCorrelatedFailures(failing(8, { network: null }), NOW)).to.include({ failingSites: 8 });
  });

  it('because of what was checked since, whatever succeeded before', () => {
    expect(decideCorrelatedFailures([...failing(20), ...healthy(60, 40 * SECOND_MS)], NOW)).to.include({
      onsetMs: NOW - 30 * SECOND_MS,
    });
  });

  it('also where one owner has more healthy sites than all others have sites', () => {
    const attacker = many(600, () => ({ owner: 'attacker', reachedMs: NOW }), 2_000);
    expect(decideCorrelatedFailures([...failing(12, { elsewhere: 'up' }), ...attacker], NOW)).to.include({
      failingSites: 12,
    });
    expect(decideCorrelatedFailures([...failing(12), ...attacker], NOW)).to.include({ failingSites: 12 });
  });

  it('also where one owner monitors the sites of all others, and they fail everywhere', () => {
    const copies = failing(12, (index) => ({ owner: 'attacker', failingSinceMs: NOW - index, elsewhere: 'down' }));
    const found = decideCorrelatedFailures([...failing(12, { elsewhere: 'up' }), ...copies], NOW);
    expect(found).to.include({ upElsewhere: 12, downElsewhere: 1 });
    expect(found!.failingSites).to.be.within(11, 12);
  });
});

describe('A region is trusted', () => {
  it('when the same sites are down elsewhere: that is an outage', () => {
    expect(decideCorrelatedFailures(failing(30, { elsewhere: 'down' }), NOW)).to.equal(null);
  });

  it('while checks of the same sites in other regions are outstanding', () => {
    expect(decideCorrelatedFailures(failing(30, { elsewhere: 'pending' }), NOW)).to.equal(null);
  });

  it('when the failing sites belong to one owner, whatever other regions observe', () => {
    for (const elsewhere of [null, 'up'] as const)
      expect(decideCorrelatedFailures(failing(600, { owner: 'one', elsewhere }), NOW)).to.equal(null);
  });

  it('when the failing sites are in one network: that is the outage of a data centre', () => {
    for (const elsewhere of [null, 'up'] as const)
      expect(decideCorrelatedFailures(failing(600, { network: '203.0.113.0/24', elsewhere }), NOW)).to.equal(null);
  });

  it('when a single site fails, however many owners monitor it', () => {
    for (const elsewhere of [null, 'up'] as const)
      expect(decideCorrelatedFailures(failing(600, { site: 'shop.test', elsewhere }), NOW)).to.equal(null);
  });

  it('when one data centre fails, and three owners have any number of dead sites beside it', () => {
    const centre = failing(40, { network: '203.0.113.0/24', elsewhere: 'up' });
    const dead = many(
      400,
      (index) => ({ owner: `attacker-${index % 3}`, failingSinceMs: NOW - 20 * SECOND_MS, elsewhere: 'up' }),
      500,
    );
    expect(decideCorrelatedFailures([...centre, ...dead], NOW)).to.equal(null);
  });

  it('when it reaches most of the sites that it checks meanwhile', () => {
    expect(decideCorrelatedFailures([...failing(8), ...healthy(8)], NOW)).to.equal(null);
    expect(decideCorrelatedFailures([...failing(8, { elsewhere: 'up' }), ...healthy(9)], NOW)).to.equal(null);
  });

  it('when a few monitors that were created together fail, in a region of many', () => {
    const made = failing(6, { failingSinceMs: NOW - SECOND_MS, elsewhere: 'up', reachedMs: null });
    expect(decideCorrelatedFailures([...made, ...healthy(100)], NOW)).to.equal(null);
  });

  for (const [what, shape] of [
    ['owners', { owners: FEWEST_OWNERS - 1 }],
    ['domains', { sites: FEWEST_OWNERS - 1 }],
  ] as const)
    it(`with any sites of fewer than ${FEWEST_OWNERS} ${what}`, () => {
      fc.assert(
        fc.property(anySitesOf({ ...shape, most: 60 }), (sites) => {
          expect(decideCorrelatedFailures(sites, NOW)).to.equal(null);
        }),
      );
    });

  it(`with any sites of fewer than ${FEWEST_OWNERS} networks, where all of them resolve`, () => {
    fc.assert(
      fc.property(anySitesOf({ networks: FEWEST_OWNERS - 1, most: 60 }), (sites) => {
        const resolved = sites.map((one) => ({ ...one, network: one.network ?? 'network-0' }));
        expect(decideCorrelatedFailures(resolved, NOW)).to.equal(null);
      }),
    );
  });

  it('whatever one owner adds, unless enough sites of others fail that share neither owner nor domain nor network', () => {
    const others = anySitesOf({ owners: 7, sites: 9, networks: 9, most: 14 });
    const own = anySitesOf({ most: 30 });
    let suspect = 0;
    fc.assert(
      fc.property(others, own, (sites, added) => {
        const attack = added.map((one) => ({ ...one, owner: 'attacker' }));
        if (decideCorrelatedFailures([...sites, ...attack], NOW) === null) return;
        suspect++;
        expect(mostIndependent(sites.filter(({ failingSinceMs }) => failingSinceMs !== null))).to.be.at.least(
          FEWEST_OWNERS - 1,
        );
      }),
      { numRuns: 500 },
    );
    expect(suspect, 'how often the property was exercised').to.be.above(10);
  });

  it('no less with more dead sites of an owner who has one already', () => {
    const apart = anySitesOf({ most: 20 }).map((all) =>
      // The sites have nothing in common, so that the count is exact.
      all.map((one, index) => ({ ...one, owner: `o-${index}`, site: `s-${index}`, network: `n-${index}` })),
    );
    fc.assert(
      fc.property(apart, fc.nat(60 * SECOND_MS), fc.array(fc.nat(600 * SECOND_MS)), (sites, agoMs, laterMs) => {
        const dead = (index: number, ms: number) => ({
          ...observation(10_000 + index, { owner: 'dead', failingSinceMs: NOW - ms, elsewhere: 'up' }),
        });
        fc.pre(decideCorrelatedFailures([...sites, dead(0, agoMs)], NOW) === null);
        const more = laterMs.map((ms, index) => dead(index + 1, agoMs + ms));
        expect(decideCorrelatedFailures([...sites, dead(0, agoMs), ...more], NOW)).to.equal(null);
      }),
      { numRuns: 500 },
    );
  });

  it('also after it reaches one more site: a success never makes it suspect', () => {
    fc.assert(
      fc.property(anySites, (sites) => {
        fc.pre(decideCorrelatedFailures(sites, NOW) === null);
        const more = [...sites, ...many(5, () => ({ reachedMs: NOW }), 500)];
        expect(decideCorrelatedFailures(more, NOW)).to.equal(null);
      }),
    );
  });

  it('when every failing site is down elsewhere too', () => {
    fc.assert(
      fc.property(anySites, (sites) => {
        const down = sites.map((one) => ({ ...one, elsewhere: 'down' as const }));
        expect(decideCorrelatedFailures(down, NOW)).to.equal(null);
      }),
    );
  });

  it('or suspect independently of the order of its sites', () => {
    // One per owner and site, as the database returns them.
    const distinct = anySites.map((all) => [...new Map(all.map((one) => [`${one.owner} ${one.site}`, one])).values()]);
    fc.assert(
      fc.property(distinct, fc.infiniteStream(fc.nat()), (sites, order) => {
        const shuffled = sites
          .map((one) => ({ one, at: order.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one);
        expect(decideCorrelatedFailures(shuffled, NOW)).to.deep.equal(decideCorrelatedFailures(sites, NOW));
      }),
    );
  });
});

describe('A suspect period ends', () => {
  const onset = NOW - 10 * 60 * SECOND_MS;
  const upAgain = (count: number) => many(count, () => ({ reachedMs: NOW - SECOND_MS }));
  const stillNot = (count: number, fields: Partial<SiteObservation> = {}) =>
    many(count, () => ({ notReachedMs: NOW - SECOND_MS, reachedMs: onset - SECOND_MS, ...fields }), 100);

  it('when most of the checked sites are reached again, and not before', () => {
    expect(decideCalm([...upAgain(7), ...stillNot(3)], onset, NOW)).to.equal(true);
    expect(decideCalm([...upAgain(6), ...stillNot(4)], onset, NOW)).to.equal(false);
  });

  it('independently of how many dead or healthy sites one owner has', () => {
    expect(decideCalm([...upAgain(7), ...stillNot(600, { owner: 'attacker' })], onset, NOW)).to.equal(true);
    const healthySites = many(600, () => ({ owner: 'attacker', reachedMs: NOW - SECOND_MS }), 2_000);
    expect(decideCalm([...stillNot(7), ...healthySites], onset, NOW)).to.equal(false);
  });

  it('never because of silence', () => {
    expect(decideCalm([], onset, NOW)).to.equal(false);
    const silent = many(9, () => ({ reachedMs: onset - SECOND_MS }));
    expect(decideCalm(silent, onset, NOW)).to.equal(false);
  });
});

/** The largest number of sites without a common key, by exhaustive search. */
function mostIndependent(sites: readonly SiteObservation[], taken: ReadonlySet<string> = new Set()): number {
  const [first, ...rest] = sites;
  if (!first) return 0;
  const keys = [`o ${first.owner}`, `s ${first.site}`, ...(first.network === null ? [] : [`n ${first.network}`])];
  const without = mostIndependent(rest, taken);
  return keys.some((key) => taken.has(key))
    ? without
    : Math.max(without, 1 + mostIndependent(rest, new Set([...taken, ...keys])));
}
