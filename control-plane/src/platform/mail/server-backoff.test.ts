import { expect } from 'chai';
import fc from 'fast-check';
import { ServerBackoff } from './server-backoff.js';

describe('The backoff of a server', () => {
  it('lets everything through while the server works', () => {
    const backoff = new ServerBackoff();
    expect(backoff.available(16, 12, 0)).to.equal(16);
  });

  it('allows no message after a failure, and then one trial message', () => {
    const backoff = new ServerBackoff();
    const waitMs = backoff.failed(1_000);
    expect(waitMs).to.be.within(500, 1_000);
    expect(backoff.available(16, 0, 1_000 + waitMs - 1)).to.equal(0);
    expect(backoff.available(16, 1, 1_000 + waitMs)).to.equal(0);
    expect(backoff.available(16, 0, 1_000 + waitMs)).to.equal(1);
    backoff.answered();
    expect(backoff.available(16, 1, 1_000 + waitMs)).to.equal(16);
  });

  it('counts messages that fail together once, and never waits longer than 30 s', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }), (rounds, together) => {
        const backoff = new ServerBackoff();
        let nowMs = 0;
        for (let round = 0; round < rounds; round++) {
          const waits = Array.from({ length: together }, () => backoff.failed(nowMs));
          expect(new Set(waits).size).to.equal(1);
          expect(waits[0]).to.be.within(1, 30_000);
          nowMs += waits[0]!;
        }
      }),
    );
  });
});
