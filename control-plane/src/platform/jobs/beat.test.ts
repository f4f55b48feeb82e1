import { expect } from 'chai';
import fc from 'fast-check';
import { untilBeat } from './beat.js';

describe('A wait until a beat', () => {
  it('ends at a whole second of the process, at most a quarter before and three quarters after the time that was asked for', () => {
    const times = fc.tuple(fc.integer({ min: 1_000, max: 600_000 }), fc.double({ min: 0, max: 1e9, noNaN: true }));
    fc.assert(
      fc.property(times, ([everyMs, nowMs]) => {
        const waitMs = untilBeat(everyMs, nowMs);
        expect(waitMs).to.be.within(everyMs - 250, everyMs + 751);
        expect(Number.isInteger(waitMs)).to.equal(true);
        expect((nowMs + waitMs) % 1_000).to.be.lessThan(1);
      }),
    );
  });

  it('is the time that was asked for where that is less than a second', () => {
    expect(untilBeat(999, 1_234.5)).to.equal(999);
    expect(untilBeat(1, 1_234.5)).to.equal(1);
  });

  it('ends at the same moment for works of different times', () => {
    expect([1_000, 2_000, 5_000].map((everyMs) => (10_300.2 + untilBeat(everyMs, 10_300.2)) % 1_000 < 1)).to.deep.equal(
      [true, true, true],
    );
  });
});
