import { expect } from 'chai';
import fc from 'fast-check';
import { decideBatchSize, SIZE_LIMITS } from './decide-batch-size.js';

const { most, least, aimMs } = SIZE_LIMITS;
/** The sizes of transactions that each have as many results as they may. */
function sizes(count: number, msOfResult: number, from: number): number[] {
  const all = [from];
  for (let turn = 0; turn < count; turn++) {
    const size = all.at(-1)!;
    all.push(decideBatchSize(size, { results: size, elapsedMs: size * msOfResult }, SIZE_LIMITS));
  }
  return all;
}

describe('The size of a transaction of results', () => {
  it('is always within its limits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ results: fc.integer({ min: 1, max: most }), elapsedMs: fc.nat({ max: 60_000 }) })),
        (runs) => {
          let size = most;
          for (const run of runs) {
            size = decideBatchSize(size, run, SIZE_LIMITS);
            expect(size).to.be.within(least, most);
          }
        },
      ),
    );
  });
  it('becomes as small as the time allows after one slow transaction, and stays there', () => {
    fc.assert(
      fc.property(fc.double({ min: aimMs / most, max: aimMs / least, noNaN: true }), (msOfResult) => {
        const [, ...later] = sizes(10, msOfResult, most);
        for (const size of later) expect(size * msOfResult).to.be.at.most(aimMs + 1e-6);
        expect(later.at(-1)! * msOfResult, 'and not smaller than needed').to.be.at.least(aimMs / 2 - msOfResult);
      }),
    );
  });
  it('is the greatest again soon after results are cheap', () => {
    expect(sizes(6, 0.05, least).at(-1)).to.equal(most);
  });
  it('is not judged by a transaction of few results', () => {
    expect(decideBatchSize(most, { results: least - 1, elapsedMs: 10_000 }, SIZE_LIMITS)).to.equal(most);
    expect(decideBatchSize(least, { results: 3, elapsedMs: 1 }, SIZE_LIMITS)).to.equal(least);
  });
});
