import { expect } from 'chai';
import fc from 'fast-check';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { decideRegionVerdicts, type RegionChecks, type RegionsOfIncident } from './decide-region-verdicts.js';

const NOW = Date.UTC(2026, 10, 21, 12);

const seen = (isUp: boolean, ageMs: number, counts: Partial<RegionChecks> = {}): RegionChecks => ({
  up: isUp ? 1 : 0,
  down: isUp ? 0 : 1,
  inconclusive: 0,
  last: { atMs: NOW - ageMs, isUp, freshUntilMs: NOW - ageMs + 3 * MINUTE_MS },
  ...counts,
});
const verdictOf = (more: Partial<RegionsOfIncident>, checks?: RegionChecks) =>
  decideRegionVerdicts({
    regions: ['eastus2'],
    failing: [],
    everFailed: [],
    recoveredMs: new Map(),
    fromMs: NOW - 10 * MINUTE_MS,
    isOver: false,
    isOfSuccesses: false,
    nowMs: NOW,
    ...more,
    checks: new Map<Region, RegionChecks>(checks ? [['eastus2', checks]] : []),
  })[0]!;
const FAILED: Partial<RegionsOfIncident> = { failing: ['eastus2'], everFailed: ['eastus2'] };

describe('the verdict of a region on an incident', () => {
  it('follows the newest fresh check while the incident is open', () => {
    expect(verdictOf(FAILED, seen(false, MINUTE_MS))).to.include({ verdict: 'failing', note: null });
    expect(verdictOf({}, seen(true, MINUTE_MS))).to.include({ verdict: 'fine', note: null });
    expect(verdictOf({ everFailed: ['eastus2'] }, seen(true, MINUTE_MS)).note).to.equal('It failed before.');
    expect(verdictOf(FAILED, seen(true, MINUTE_MS))).to.include({ verdict: 'failing' });
    expect(verdictOf(FAILED, seen(true, MINUTE_MS)).note).to.match(/recovery needs more/);
  });

  it('has no note on outcomes where the incident is about checks that succeed', () => {
    const warned = { ...FAILED, isOfSuccesses: true };
    expect(verdictOf(warned, seen(true, MINUTE_MS))).to.include({ verdict: 'failing', note: null });
    expect(verdictOf({ ...warned, isOver: true }, seen(true, MINUTE_MS))).to.include({
      verdict: 'failing',
      note: null,
    });
  });

  it('is unknown where the region is silent', () => {
    expect(verdictOf({}, seen(true, 4 * MINUTE_MS)).verdict).to.equal('unknown');
    expect(verdictOf(FAILED, seen(false, 4 * MINUTE_MS)).note).to.equal('It failed, and has not reported since.');
    expect(verdictOf({})).to.include({ verdict: 'unknown', note: 'It was not checked from there.', lastMs: null });
    expect(verdictOf({}, { up: 0, down: 0, inconclusive: 3, last: null }).note).to.equal(
      'The agent there could not check.',
    );
  });

  it('counts the checks during the incident when it is over', () => {
    const over = { isOver: true };
    expect(verdictOf({ ...over, ...FAILED }, seen(true, 0, { up: 3, down: 7 }))).to.include({
      verdict: 'failing',
      note: '7 of 10 checks failed.',
    });
    const recoveredMs = new Map<Region, number>([['eastus2', NOW - MINUTE_MS]]);
    const failed = seen(true, 0, { up: 3, down: 7 });
    expect(verdictOf({ ...over, ...FAILED, recoveredMs }, failed).untilMs).to.equal(NOW - MINUTE_MS);
    expect(verdictOf({ ...over, ...FAILED }, failed).untilMs, 'not seen to recover').to.equal(null);
    expect(verdictOf({ ...FAILED, recoveredMs }, failed).untilMs, 'while it is open').to.equal(null);
    expect(verdictOf({ ...over, recoveredMs }, seen(true, 0)).untilMs, 'never failed').to.equal(null);
    expect(verdictOf(over, seen(true, 99 * MINUTE_MS, { up: 5 })).verdict).to.equal('fine');
    expect(verdictOf(over, seen(true, 11 * MINUTE_MS, { up: 0, down: 0 }))).to.include({
      verdict: 'fine',
      note: 'Its last check before the incident was fine.',
    });
    expect(verdictOf(over, seen(true, 14 * MINUTE_MS, { up: 0, down: 0 })).verdict).to.equal('unknown');
    expect(verdictOf(over).verdict).to.equal('unknown');
  });

  it('is never fine without a successful check, and follows the incident where its checks are erased', () => {
    const count = fc.nat({ max: 5 });
    const last = fc.option(
      fc.record({
        atMs: fc.constant(NOW - MINUTE_MS),
        isUp: fc.boolean(),
        freshUntilMs: fc.integer({ min: NOW - MINUTE_MS, max: NOW + MINUTE_MS }),
      }),
    );
    fc.assert(
      fc.property(
        fc.record({ up: count, down: count, inconclusive: count, last }),
        fc.boolean(),
        fc.boolean(),
        (checks, isOver, failed) => {
          const { verdict } = verdictOf({ isOver, ...(failed ? FAILED : {}) }, checks);
          if (checks.up === 0 && checks.last?.isUp !== true) expect(verdict).to.not.equal('fine');
          if (failed) expect(verdict).to.not.equal('fine');
        },
      ),
    );
    expect(verdictOf(FAILED).verdict).to.equal('failing');
    expect(verdictOf({ ...FAILED, isOver: true })).to.include({ verdict: 'failing', note: null });
  });
});
