import { expect } from 'chai';
import fc from 'fast-check';
import { decideThrottle } from './decide-throttle.js';

const throttle = { most: 5, windowMs: 900_000 };

describe('The throttle of a destination', () => {
  it('allows every message up to the limit', () => {
    expect(decideThrottle([1, 2, 3, 4], 5, throttle)).to.equal(null);
    expect(decideThrottle([1, 2, 3, 4, 5], 6, throttle)).to.equal(900_001);
  });
  it('never allows more than the limit in any window', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 400_000 }), { maxLength: 60 }), (gaps) => {
        const sent: number[] = [];
        let nowMs = 0;
        for (const gap of gaps) {
          nowMs += gap;
          if (decideThrottle(sent, nowMs, throttle) === null) sent.push(nowMs);
        }
        for (const at of sent) {
          expect(sent.filter((one) => one >= at && one < at + throttle.windowMs).length).to.be.at.most(throttle.most);
        }
      }),
    );
  });
  it('allows the next message at the earliest time', () => {
    const sent = [0, 10, 20, 30, 40];
    const openMs = decideThrottle(sent, 50, throttle)!;
    expect(decideThrottle(sent, openMs - 1, throttle)).not.to.equal(null);
    expect(decideThrottle(sent, openMs, throttle)).to.equal(null);
  });
});
