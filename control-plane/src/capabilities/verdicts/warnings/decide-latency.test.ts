import { expect } from 'chai';
import fc from 'fast-check';
import type { Region } from '@watchpost/shared/region';
import { decideLatency, latencyMessage, type LatencyReading } from './decide-latency.js';
import { isOneSided } from './is-one-sided.js';

const REGIONS = ['northeurope', 'eastus2', 'westus3'] as const;
const LIMIT_MS = 1_000;

const reading = (
  windows: Partial<Record<Region, readonly number[]>>,
  percentile: 50 | 90 | 95 | 99 = 95,
  windowChecks = 5,
): LatencyReading => ({
  settings: { thresholdMs: LIMIT_MS, percentile, windowChecks },
  windows: new Map(
    Object.entries(windows).map(([region, totalsMs]) => [
      region as Region,
      totalsMs!.map((ms, index) => ({ scheduledAtMs: index * 60_000, totalUs: ms * 1_000, warning: null })),
    ]),
  ),
});

const window = (size: number) => fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: size, maxLength: size });
const percentile = fc.constantFrom(50, 90, 95, 99);

describe('A latency window', () => {
  it('has the percentile that PostgreSQL computes from the same values', () => {
    expect(decideLatency(reading({ northeurope: [100, 200, 300, 400, 5_000] }), ['northeurope']).valueMs).to.equal(
      4_080,
    );
    expect(decideLatency(reading({ northeurope: [5_000, 100, 300, 200, 400] }, 50), ['northeurope']).valueMs).to.equal(
      300,
    );
    expect(decideLatency(reading({ northeurope: [700] }, 99, 1), ['northeurope']).valueMs).to.equal(700);
  });

  it('does not count before it is full, or in a region that is not up', () => {
    expect(decideLatency(reading({ northeurope: [9_000, 9_000] }), ['northeurope']).signal).to.equal('unclear');
    expect(decideLatency(reading({ northeurope: [9_000, 9_000, 9_000, 9_000, 9_000] }), []).signal).to.equal('unclear');
  });

  it('without a check above the threshold is fine, and with all of them above it is not', () => {
    fc.assert(
      fc.property(fc.array(window(5), { minLength: 1, maxLength: 3 }), percentile, (windows, which) => {
        const named = Object.fromEntries(windows.map((values, index) => [REGIONS[index]!, values]));
        const regions = REGIONS.slice(0, windows.length);
        const decided = decideLatency(reading(named, which), regions);
        const all = windows.flat();
        if (all.every((ms) => ms <= LIMIT_MS)) expect(decided.signal).to.equal('fine');
        if (all.every((ms) => ms > LIMIT_MS)) expect(decided.signal).to.equal('failing');
        expect(decided.valueMs).to.be.within(Math.min(...all), Math.max(...all));
        expect(decided.signal === 'failing').to.equal(decided.valueMs! > LIMIT_MS);
        if (decided.signal === 'failing') expect(decided.slow).to.not.have.length(0);
        expect([...decided.slow, ...decided.fine].toSorted()).to.deep.equal([...regions].toSorted());
      }),
    );
  });

  it('on one side of the threshold stays there with further checks on that side, so that no new decision is needed', () => {
    const side = fc.boolean().chain((isSlow) => {
      const value = isSlow ? fc.integer({ min: 1_001, max: 9_000 }) : fc.integer({ min: 1, max: 1_000 });
      return fc.record({
        isSlow: fc.constant(isSlow),
        values: fc.array(value, { minLength: 5, maxLength: 5 }),
        more: fc.array(value, { maxLength: 10 }),
      });
    });
    fc.assert(
      fc.property(side, percentile, ({ isSlow, values, more }, which) => {
        const signal = isSlow ? 'failing' : 'fine';
        const successes = { latency: reading({ northeurope: values }, which) };
        expect(isOneSided(successes, 'northeurope', { isSlow, isWarning: false })).to.equal(true);
        expect(isOneSided(successes, 'northeurope', { isSlow: !isSlow, isWarning: false })).to.equal(false);
        const later = reading({ northeurope: [...values, ...more].slice(-5) }, which);
        expect(decideLatency(later, ['northeurope']).signal).to.equal(signal);
      }),
    );
  });

  it('is described by a message with the measured value', () => {
    const settings = { thresholdMs: 2_000, percentile: 95, windowChecks: 5 } as const;
    expect(latencyMessage(settings, 2_345.6)).to.equal(
      'Too slow: the 95th percentile of the last 5 checks is 2,346 ms, above the threshold of 2,000 ms.',
    );
    expect(latencyMessage({ ...settings, windowChecks: 1 }, 2_001)).to.contain('of the last check is');
  });
});
