import { expect } from 'chai';
import fc from 'fast-check';
import type { Timings } from '@watchpost/shared/outcome';
import { subtractDelay } from './subtract-delay.js';

const timings = (firstByteUs: number, transferUs: number): Timings => ({
  dnsUs: 0,
  connectUs: 0,
  tlsUs: 0,
  firstByteUs,
  transferUs,
});

describe('the duration of a success', () => {
  it('does not include a delay of the event loop that is a relevant share of it', () => {
    expect(
      subtractDelay({ totalUs: 5_000_000, timings: timings(4_000_000, 1_000_000) }, 4_000_000, 5_000_000),
    ).to.deep.equal({
      totalUs: 1_000_000,
      timings: timings(800_000, 200_000),
    });
  });

  it('has its share of the delays of a check that waits for long beside it', () => {
    const ping = { totalUs: 40, timings: timings(40, 0) };
    expect(subtractDelay(ping, 900_000, 1_000_000)).to.deep.equal(ping);
    const steps = { totalUs: 1_000_000, timings: timings(1_000_000, 0) };
    expect(subtractDelay(steps, 1_000_000, 4_000_000).totalUs).to.equal(750_000);
  });

  it('is as measured if the delay is small', () => {
    const short = { totalUs: 100_000, timings: timings(60_000, 40_000) };
    expect(subtractDelay(short, 99_999, 0)).to.deep.equal(short);
    const long = { totalUs: 1_000_000, timings: timings(600_000, 400_000) };
    expect(subtractDelay(long, 199_999, 0)).to.deep.equal(long);
    expect(subtractDelay(long, 200_000, 0).totalUs).to.equal(800_000);
    expect(subtractDelay({ totalUs: 0, timings: timings(0, 0) }, 0, 0).totalUs).to.equal(0);
  });

  it('is never negative, never longer than measured, and never shorter than its phases', () => {
    const us = fc.integer({ min: 0, max: 60_000_000 });
    fc.assert(
      fc.property(us, us, us, us, (firstByteUs, transferUs, delayUs, tookUs) => {
        const measured = { totalUs: firstByteUs + transferUs, timings: timings(firstByteUs, transferUs) };
        const own = subtractDelay(measured, delayUs, tookUs);
        expect(own.totalUs).to.be.within(0, measured.totalUs);
        expect(own.timings.firstByteUs + own.timings.transferUs).to.be.at.most(own.totalUs);
      }),
    );
  });
});
