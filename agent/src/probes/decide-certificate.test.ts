import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { daysUntil, expiresSoon } from './decide-certificate.js';

const NOW = Date.UTC(2026, 10, 28);
const lasting = (lifetimeMs: number, leftMs: number) => ({
  validFrom: new Date(NOW + leftMs - lifetimeMs).toISOString(),
  validTo: new Date(NOW + leftMs).toISOString(),
});

describe('A certificate without incidentDays', () => {
  it('expires soon when less than the smaller of 7 days and 15 % of its lifetime remains, to the second', () => {
    for (const [lifetimeMs, limitMs] of [
      [398 * DAY_MS, 7 * DAY_MS],
      [90 * DAY_MS, 7 * DAY_MS],
      [45 * DAY_MS, 6.75 * DAY_MS],
      [160 * HOUR_MS, 24 * HOUR_MS],
    ] as const) {
      expect(expiresSoon(lasting(lifetimeMs, limitMs), null, NOW), `${lifetimeMs} at the limit`).to.equal(false);
      expect(expiresSoon(lasting(lifetimeMs, limitMs - 1_000), null, NOW), `${lifetimeMs} below`).to.equal(true);
    }
  });

  it('never does so before 85 % of its lifetime has passed, and always does so once it has expired', () => {
    const seconds = fc.integer({ min: 60, max: 40_000_000 });
    fc.assert(
      fc.property(seconds, fc.integer({ min: -1_000_000, max: 40_000_000 }), (lifetimeS, leftS) => {
        const isSoon = expiresSoon(lasting(lifetimeS * 1_000, leftS * 1_000), null, NOW);
        if (leftS > 0.15 * lifetimeS || leftS >= 7 * 86_400) expect(isSoon).to.equal(false);
        if (leftS < 0) expect(isSoon).to.equal(true);
      }),
    );
  });

  it('is judged by whole days, rounded down, where they are given', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 40_000_000 }), fc.nat(365), (leftS, days) => {
        const certificate = lasting(90 * DAY_MS, leftS * 1_000);
        expect(expiresSoon(certificate, days, NOW)).to.equal(daysUntil(certificate.validTo, NOW) <= days);
      }),
    );
  });
});
