import { expect } from 'chai';
import fc from 'fast-check';
import { ServerBackoff } from './server-backoff.js';

describe('The backoff of a server', () => {
  it('lets everything through while the server works', () => {
    const backoff = new ServerBackoff();
    expect(backoff.room(16, 12, 0)).to.equal(16);
  });

  it('lets nothing through after a failure, and then one message alone', () => {
    const backoff = new ServerBackoff();
    const restMs = backoff.failed(1_000);
    expect(restMs).to.be.within(500, 1_000);
    expect(backoff.room(16, 0, 1_000 + restMs - 1)).to.equal(0);
    expect(backoff.room(16, 1, 1_000 + restMs)).to.equal(0);
    expect(backoff.room(16, 0, 1_000 + restMs)).to.equal(1);
    backoff.answered();
    expect(backoff.room(16, 1, 1_000 + restMs)).to.equal(16);
  });

  it('counts messages that fail together once, and never rests longer than 30 s', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }), (rounds, together) => {
        const backoff = new ServerBackoff();
        let nowMs = 0;
        for (let round = 0; round < rounds; round++) {
          const rests = Array.from({ length: together }, () => backoff.failed(nowMs));
          expect(new Set(rests).size).to.equal(1);
          expect(rests[0]).to.be.within(1, 30_000);
          nowMs += rests[0]!;
        }
      }),
    );
  });
});
