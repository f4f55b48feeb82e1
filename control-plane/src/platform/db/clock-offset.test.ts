import { expect } from 'chai';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { decideClockOffset, describeClockOffset, showClockOffset } from './clock-offset.js';

describe('the offset of a clock', () => {
  it('has the right sign and is never more than it is, however long the question takes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        fc.nat(60_000),
        fc.nat(60_000),
        (offsetMs, thereMs, backMs) => {
          const atMs = 1_763_000_000_000;
          const askedMs = atMs - thereMs + offsetMs;
          const found = decideClockOffset(askedMs, atMs, askedMs + thereMs + backMs);
          if (found !== 0) expect(Math.sign(found)).to.equal(Math.sign(offsetMs));
          expect(Math.abs(found)).to.be.at.most(Math.abs(offsetMs));
          expect(Math.abs(offsetMs - found)).to.be.at.most(Math.max(thereMs, backMs + 1));
        },
      ),
    );
  });

  it('is described from 5 s on', () => {
    expect(describeClockOffset(4_999)).to.equal(null);
    expect(describeClockOffset(-4_999)).to.equal(null);
    expect(describeClockOffset(7_200_000)).to.include('is 7200 s ahead of the database');
    expect(describeClockOffset(-5_000)).to.include('is 5 s behind the database');
  });

  it('is read at each scrape, which also shows whether the database answers', async () => {
    let isAway = false;
    const registry = new Registry();
    showClockOffset(registry, {
      read: () => (isAway ? Promise.reject(new Error('no connection')) : Promise.resolve(2_000)),
    });
    const scrape = async () => (await registry.metrics()).split('\n').filter((line) => /^\w.* /.test(line));
    expect(await scrape()).to.have.members(['watchpost_database_up 1', 'watchpost_clock_offset_seconds 2']);
    isAway = true;
    expect(await scrape()).to.have.members(['watchpost_database_up 0', 'watchpost_clock_offset_seconds 2']);
  });
});
