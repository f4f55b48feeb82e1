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
  it('have at every moment the outcome of the last check, as long as that is fresh', () => {
    fc.assert(
      fc.property(results, fc.nat(20_000), (checks, offset) => {
        const moment = START + offset;
        const last = checks.findLast(({ atMs }) => atMs <= moment);
        const expected = last && moment < last.atMs + last.freshMs ? last.up : undefined;
        const found = spansOf(checks).filter(({ startMs, endMs }) => startMs <= moment && moment < endMs);
        expect(found.map(({ up }) => up)).to.deep.equal(expected === undefined ? [] : [expected]);
      }),
    );
  });

  it('are the same whether computed from all checks at once or joined from buckets of any size', () => {
    fc.assert(
      fc.property(results, fc.array(fc.nat(20_000), { maxLength: 6 }), (checks, offsets) => {
        const bounds = [-Infinity, ...offsets.map((offset) => START + offset).toSorted((a, b) => a - b), Infinity];
        const buckets = bounds
          .slice(1)
          .map((end, index) => checks.filter(({ atMs }) => atMs >= bounds[index]! && atMs < end));
        const concatenated = Buffer.concat(buckets.toReversed().map((bucket) => encodeSpans(spansOf(bucket))));
        expect(joinSpans(decodeSpans(concatenated))).to.deep.equal(spansOf(checks));
      }),
    );
  });

  it('survive encoding and decoding unchanged', () => {
    fc.assert(
      fc.property(results, (checks) => {
        const spans = spansOf(checks);
        expect(decodeSpans(encodeSpans(spans))).to.deep.equal(spans);
      }),
    );
  });

  it('are a single one of about a dozen bytes where nothing changes', () => {
    const day = Array.from({ length: 1_440 }, (_, minute) => ({
      atMs: START + minute * 60_000,
      freshMs: 150_000,
      up: true,
    }));
    expect(spansOf(day)).to.have.length(1);
    expect(encodeSpans(spansOf(day)).length).to.be.at.most(12);
  });
});
