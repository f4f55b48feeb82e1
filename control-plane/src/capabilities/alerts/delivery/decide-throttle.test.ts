import { expect } from 'chai';
import fc from 'fast-check';
import { decideThrottle } from './decide-throttle.js';

const throttle = { most: 5, windowMs: 900_000 };

describe('how often a destination is written to', () => {
  it('is as often as there is something, up to the limit', () => {
    expect(decideThrottle([1, 2, 3, 4], 5, throttle)).to.equal(null);
    expect(decideThrottle([1, 2, 3, 4, 5], 6, throttle)).to.equal(900_001);
  });
  it('is never more than the limit in any window, whatever comes when', () => {
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
  it('opens as soon as it may', () => {
    const sent = [0, 10, 20, 30, 40];
    const openMs = decideThrottle(sent, 50, throttle)!;
    expect(decideThrottle(sent, openMs - 1, throttle)).not.to.equal(null);
    expect(decideThrottle(sent, openMs, throttle)).to.equal(null);
  });
});
