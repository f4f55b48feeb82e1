import { expect } from 'chai';
import fc from 'fast-check';
import { decodeSpans, encodeSpans, joinSpans, spansOf, type ConclusiveCheck } from './span-codec.js';

const START = Date.UTC(2026, 10, 21);

/** Results of one series: at different moments, some speaking for no time. */
const results = fc
  .array(fc.record({ gapMs: fc.integer({ min: 1, max: 500 }), freshMs: fc.nat(900), up: fc.boolean() }), {
    maxLength: 40,
  })
  .map((list) => {
    let atMs = START;
    return list.map(({ gapMs, freshMs, up }): ConclusiveCheck => ({ atMs: (atMs += gapMs), freshMs, up }));
  });

describe('The spans of a series', () => {
  it('say at every moment what its last result said, as long as that was fresh', () => {
    fc.assert(
      fc.property(results, fc.nat(20_000), (said, offset) => {
        const moment = START + offset;
        const last = said.findLast(({ atMs }) => atMs <= moment);
        const expected = last && moment < last.atMs + last.freshMs ? last.up : undefined;
        const found = spansOf(said).filter(({ startMs, endMs }) => startMs <= moment && moment < endMs);
        expect(found.map(({ up }) => up)).to.deep.equal(expected === undefined ? [] : [expected]);
      }),
    );
  });

  it('are the same whether made of all results at once or put together of buckets, wherever those end', () => {
    fc.assert(
      fc.property(results, fc.array(fc.nat(20_000), { maxLength: 6 }), (said, offsets) => {
        const bounds = [-Infinity, ...offsets.map((offset) => START + offset).toSorted((a, b) => a - b), Infinity];
        const buckets = bounds
          .slice(1)
          .map((end, index) => said.filter(({ atMs }) => atMs >= bounds[index]! && atMs < end));
        const strung = Buffer.concat(buckets.toReversed().map((bucket) => encodeSpans(spansOf(bucket))));
        expect(joinSpans(decodeSpans(strung))).to.deep.equal(spansOf(said));
      }),
    );
  });

  it('come back from their bytes as they were', () => {
    fc.assert(
      fc.property(results, (said) => {
        const spans = spansOf(said);
        expect(decodeSpans(encodeSpans(spans))).to.deep.equal(spans);
      }),
    );
  });

  it('are one, of a dozen bytes, where nothing happened', () => {
    const day = Array.from({ length: 1_440 }, (_, minute) => ({
      atMs: START + minute * 60_000,
      freshMs: 150_000,
      up: true,
    }));
    expect(spansOf(day)).to.have.length(1);
    expect(encodeSpans(spansOf(day)).length).to.be.at.most(12);
  });
});
