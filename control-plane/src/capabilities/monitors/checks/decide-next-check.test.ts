import { expect } from 'chai';
import fc from 'fast-check';
import { SETTLE_MS } from '@watchpost/shared/check';
import { decideNextCheck } from './decide-next-check.js';

describe('next check', () => {
  it('is the change itself where that is still to come, and nothing where nothing is checked', () => {
    expect(decideNextCheck({ changedAtMs: 5_000, intervalMs: 60_000, phasesMs: [7] }, 5_000)).to.equal(5_000);
    expect(decideNextCheck({ changedAtMs: 5_000, intervalMs: 60_000, phasesMs: [] }, 0)).to.equal(null);
  });

  it('is the first due time of any region that is not past', () => {
    const interval = fc.integer({ min: 60_000, max: 3_600_000 });
    fc.assert(
      fc.property(
        interval,
        fc.nat({ max: 10_000_000 }),
        fc.nat({ max: 10_000_000 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
        (intervalMs, changedAtMs, after, seeds) => {
          const phasesMs = seeds.map((seed) => seed % intervalMs);
          const nowMs = changedAtMs + 1 + after;
          const next = decideNextCheck({ changedAtMs, intervalMs, phasesMs }, nowMs)!;
          const earliest = Math.max(nowMs, changedAtMs + SETTLE_MS);
          expect(next)
            .to.be.at.least(earliest)
            .and.below(earliest + intervalMs);
          expect(phasesMs.some((phase) => (next - phase) % intervalMs === 0)).to.equal(true);
          for (const phase of phasesMs) {
            const previous = phase + Math.floor((next - 1 - phase) / intervalMs) * intervalMs;
            expect(previous).to.be.below(earliest);
          }
        },
      ),
    );
  });
});
