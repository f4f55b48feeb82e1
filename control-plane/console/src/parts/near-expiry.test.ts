import { expect } from 'chai';
import { isNearExpiry } from './near-expiry.js';

describe('A certificate in the console', () => {
  const near = (daysUntilExpiry: number, lifetimeDays: number) =>
    isNearExpiry({
      daysUntilExpiry,
      validFrom: new Date(0).toISOString(),
      validTo: new Date(lifetimeDays * 86_400_000).toISOString(),
    });

  it('is near its end with 21 days left, or with a third of its lifetime if that is less', () => {
    expect([near(22, 398), near(21, 398), near(21, 90)]).to.deep.equal([false, true, true]);
    expect([near(15, 45), near(14, 45)]).to.deep.equal([false, true]);
    expect([near(6, 160 / 24), near(2, 160 / 24), near(-1, 160 / 24)]).to.deep.equal([false, true, true]);
    expect(isNearExpiry({ daysUntilExpiry: null, validFrom: null, validTo: null })).to.equal(false);
    expect(isNearExpiry({ daysUntilExpiry: 5, validFrom: null, validTo: null })).to.equal(true);
  });
});
