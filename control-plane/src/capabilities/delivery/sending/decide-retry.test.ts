import { expect } from 'chai';
import fc from 'fast-check';
import { decideRetry, RETRY_WAITS_MS } from './decide-retry.js';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('The next attempt of a delivery', () => {
  it('follows the schedule: 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h, 12 h, and then never', () => {
    expect(RETRY_WAITS_MS.map((_wait, index) => decideRetry(index + 1, 0, 0))).to.deep.equal([
      5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000,
    ]);
    expect(decideRetry(RETRY_WAITS_MS.length + 1, 0, 0)).to.equal(null);
  });
  it('is never earlier than scheduled or than the receiver asked for, and at most slightly later', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.nat(),
        random,
        fc.option(fc.nat({ max: 43_200_000 }), { nil: undefined }),
        (attempts, nowMs, jitter, retryAfterMs) => {
          const waitMs = decideRetry(attempts, nowMs, jitter, retryAfterMs)! - nowMs;
          const plannedMs = RETRY_WAITS_MS[attempts - 1]!;
          expect(waitMs).to.be.at.least(Math.max(plannedMs, retryAfterMs ?? 0));
          expect(waitMs).to.be.at.most(Math.max(plannedMs * 1.2 + 1, retryAfterMs ?? 0));
        },
      ),
    );
  });
});
