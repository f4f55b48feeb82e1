import { expect } from 'chai';
import fc from 'fast-check';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { decideCorrelatedFailures, type SiteObservation } from './decide-correlated-failures.js';
import {
  decideRelease,
  HOLD_ANSWER_MS,
  HOLD_UNCLEAR_MS,
  type HeldFailure,
  type RegionSign,
  type RegionSigns,
} from './decide-hold.js';

const NOW = Date.UTC(2026, 10, 23, 12);

describe('A held failure', () => {
  const failure: HeldFailure = { heldSinceMs: NOW, endedMs: NOW - 100, opinion: 'none', answer: 'none' };
  /** A site of an owner of its own: its last check was long ago, and the next is due after the hold. */
  const sign = (index: number, changed: Partial<RegionSign> = {}): RegionSign => ({
    owner: `owner ${index}`,
    site: `site ${index}`,
    reachedMs: null,
    missedMs: null,
    isFailing: false,
    dueMs: NOW + MINUTE_MS,
    ...changed,
  });
  const signs = (count: number, changed: Partial<RegionSign> = {}) =>
    Array.from({ length: count }, (_, index) => sign(index, changed));
  const after = (ms: number, own: readonly RegionSign[], held: Partial<HeldFailure> = {}, isComplete = true) =>
    decideRelease({ ...failure, ...held }, { signs: own, isComplete }, NOW + ms);
  const due = signs(8, { dueMs: NOW + 5 * SECOND_MS });

  it('is released where too few owners have a check in time for a blind region to be recognised', () => {
    const few = [...signs(4, { dueMs: NOW + 5 * SECOND_MS }), ...signs(30).slice(4)];
    expect(after(2_000, few)).to.equal(true);
    expect(after(2_000, few, {}, false), 'a sample does not show that').to.equal(false);
    expect(after(2_000, due)).to.equal(false);
    expect(after(2_000, signs(8, { dueMs: NOW - SECOND_MS })), 'checks that run').to.equal(false);
    expect(after(2_000, signs(8, { isFailing: true })), 'sites that fail').to.equal(false);
  });

  it('is released when the region has reached enough independent sites since the check ended', () => {
    const reached = (ms: number, count = 5) => [
      ...due,
      ...signs(count, { reachedMs: ms }).map((one) => ({ ...one, dueMs: NOW })),
    ];
    expect(after(2_000, reached(NOW))).to.equal(true);
    expect(after(2_000, reached(NOW - 200)), 'before the check ended').to.equal(false);
    expect(after(2_000, reached(NOW, 4))).to.equal(false);
    expect(
      after(
        2_000,
        reached(NOW).map((one) => ({ ...one, site: 'the same' })),
      ),
    ).to.equal(false);
    const half = [...reached(NOW), ...Array.from({ length: 5 }, (_, index) => sign(20 + index, { missedMs: NOW }))];
    expect(after(2_000, half), 'a region that loses its network by and by').to.equal(false);
  });

  it('is held longer than ten seconds while the region misses most of what it checks', () => {
    const missed = (count: number) => Array.from({ length: count }, (_, index) => sign(20 + index, { missedMs: NOW }));
    expect(after(HOLD_UNCLEAR_MS, missed(4))).to.equal(false);
    expect(after(HOLD_UNCLEAR_MS, missed(3)), 'too few').to.equal(true);
    const others = Array.from({ length: 5 }, (_, index) => sign(40 + index, { reachedMs: NOW }));
    expect(after(HOLD_UNCLEAR_MS, [...missed(4), ...others]), 'it reaches the others').to.equal(true);
    expect(after(HOLD_UNCLEAR_MS, missed(4), { opinion: 'confirmed' })).to.equal(true);
  });

  it('is released after ten seconds otherwise, and at once where another region confirms it', () => {
    expect(after(HOLD_UNCLEAR_MS - 1, due)).to.equal(false);
    expect(after(HOLD_UNCLEAR_MS, due)).to.equal(true);
    expect(after(2_000, due, { opinion: 'confirmed' })).to.equal(true);
  });

  it('waits for its second opinions, and for a second in any case', () => {
    expect(after(20_000, [], { opinion: 'pending' })).to.equal(false);
    expect(after(999, [])).to.equal(false);
  });

  it('that follows from an answer of the site waits for nothing but the same answer of others', () => {
    const missed = Array.from({ length: 8 }, (_, index) => sign(20 + index, { missedMs: NOW }));
    for (const opinion of ['pending', 'none'] as const) {
      expect(after(HOLD_ANSWER_MS, missed, { answer: 'own', opinion })).to.equal(true);
      expect(after(HOLD_ANSWER_MS - 1, missed, { answer: 'own', opinion })).to.equal(false);
      expect(after(HOLD_UNCLEAR_MS, missed, { answer: 'alike', opinion }), 'others give it too').to.equal(false);
    }
  });

  it('of a region that goes blind is never released before a fixed hold of ten seconds would have recognised it', () => {
    // Sites with an owner each, their phases in the minute, and how long a check takes to fail.
    const sites = fc.array(
      fc.record({ phaseMs: fc.nat(MINUTE_MS - 1), failsAfterMs: fc.integer({ min: 1, max: 8_000 }) }),
      { minLength: 5, maxLength: 80 },
    );
    let releasedEarly = 0;
    let recognised = 0;
    fc.assert(
      fc.property(sites, fc.boolean(), fc.nat(1_999), (own, areUpElsewhere, sweepMs) => {
        const region = new BlindRegion(own, areUpElsewhere);
        for (const site of own) {
          const heldSinceMs = region.firstFailureOf(site);
          let suspectMs = Infinity;
          let releasedMs = Infinity;
          for (let nowMs = heldSinceMs + 1 + sweepMs; nowMs <= heldSinceMs + HOLD_UNCLEAR_MS + 2_000; nowMs += 2_000) {
            if (decideCorrelatedFailures(region.observations(nowMs), nowMs)) suspectMs = Math.min(suspectMs, nowMs);
            const held = { heldSinceMs, endedMs: heldSinceMs, opinion: 'none', answer: 'none' } as const;
            const isReleased = suspectMs > nowMs && decideRelease(held, region.signs(nowMs, heldSinceMs), nowMs);
            if (isReleased) releasedMs = Math.min(releasedMs, nowMs);
          }
          if (releasedMs < heldSinceMs + HOLD_UNCLEAR_MS) releasedEarly++;
          if (suspectMs < Infinity) recognised++;
          const isLater = suspectMs < heldSinceMs + HOLD_UNCLEAR_MS && releasedMs < suspectMs;
          expect(isLater, `released ${releasedMs - heldSinceMs}, suspect ${suspectMs - heldSinceMs}`).to.equal(false);
        }
      }),
      { numRuns: 60 },
    );
    expect(releasedEarly, 'some are released early').to.be.above(0);
    expect(recognised, 'some are recognised').to.be.above(0);
  });
});

interface Site {
  phaseMs: number;
  failsAfterMs: number;
}

/** A region that has reached all of its sites until `NOW`, and none since. */
class BlindRegion {
  constructor(
    private readonly sites: readonly Site[],
    private readonly areUpElsewhere: boolean,
  ) {}

  /** When the first check of this site that failed ended. */
  firstFailureOf({ phaseMs, failsAfterMs }: Site): number {
    return NOW + phaseMs + failsAfterMs;
  }

  observations(nowMs: number): SiteObservation[] {
    return this.sites.map((site, index) => {
      const isFailing = this.firstFailureOf(site) <= nowMs;
      return {
        owner: `owner ${index}`,
        site: `site ${index}`,
        network: null,
        failingSinceMs: isFailing ? NOW + site.phaseMs : null,
        reachedMs: NOW + site.phaseMs - MINUTE_MS,
        notReachedMs: isFailing ? NOW + site.phaseMs : null,
        elsewhere: isFailing && this.areUpElsewhere ? 'up' : null,
      };
    });
  }

  signs(nowMs: number, sinceMs: number): RegionSigns {
    const signs = this.sites.map((site, index): RegionSign => {
      const isFailing = this.firstFailureOf(site) <= nowMs;
      const startedMs = NOW + site.phaseMs;
      return {
        owner: `owner ${index}`,
        site: `site ${index}`,
        reachedMs: null,
        missedMs: isFailing && startedMs > sinceMs ? startedMs : null,
        isFailing,
        dueMs: isFailing ? startedMs + MINUTE_MS : startedMs,
      };
    });
    return { signs, isComplete: true };
  }
}
