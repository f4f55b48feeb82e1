import { expect } from 'chai';
import fc from 'fast-check';
import { isWithin, laterThan } from './clock.js';

describe('a time later than another', () => {
  const ms = fc.integer({ min: 0, max: 4_102_444_800_000 });

  it('is now or, if that is not later, the next millisecond', () => {
    fc.assert(
      fc.property(ms, ms, (previous, now) => {
        const moment = laterThan(new Date(previous), now).getTime();
        expect(moment).to.be.greaterThan(previous).and.at.least(now);
        expect(moment === now || moment === previous + 1).to.equal(true);
      }),
    );
    expect(laterThan(new Date(7), 7).getTime()).to.equal(8);
    expect(laterThan(new Date(9), 7).getTime()).to.equal(10);
  });
});

describe('two times', () => {
  it('are within a span of each other, whichever is the later one, if less than the span lies between them', () => {
    const outcomes = [7, 8, 10, 12, 13].map((other) => isWithin(3, 10, other));
    expect(outcomes).to.deep.equal([false, true, true, true, false]);
    expect(isWithin(3, 10, -Infinity)).to.equal(false);
  });
});
