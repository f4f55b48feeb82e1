import { expect } from 'chai';
import fc from 'fast-check';
import { LatencyHistogram } from './histogram.js';

const durations = fc.array(
  fc.oneof(fc.nat(2 ** 31 - 1), fc.nat(2_000_000), fc.integer({ min: 40_000, max: 60_000 }), fc.nat(3)),
  { maxLength: 80 },
);
const SHARES = [0, 0.5, 0.9, 0.95, 0.99, 1];

function histogramOf(values: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const value of values) histogram.add(value);
  return histogram;
}

function merged(...encoded: Buffer[]): Buffer {
  const histogram = new LatencyHistogram();
  for (const bytes of encoded) histogram.addEncoded(bytes);
  return histogram.encode();
}

const encodedOf = (values: readonly number[]) => histogramOf(values).encode();
const boundsOf = (values: readonly number[]) => ({ minUs: Math.min(...values), maxUs: Math.max(...values) });

/** As percentile_cont of PostgreSQL. */
function exact(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  return low + (high - low) * (rank - Math.floor(rank));
}

describe('A histogram of durations', () => {
  it('yields every percentile within 1 % of the exact one', () => {
    fc.assert(
      fc.property(durations, (values) => {
        fc.pre(values.length > 0);
        const quantiles = histogramOf(values).quantiles(SHARES, boundsOf(values));
        SHARES.forEach((share, index) => {
          const right = exact(values, share);
          // durations below a microsecond are not distinguished
          expect(quantiles[index]).to.be.within(right * 0.99 - 1, right * 1.01 + 1);
        });
      }),
      { numRuns: 400 },
    );
  });

  it('is as good as new after it was emptied', () => {
    fc.assert(
      fc.property(durations, durations, (former, values) => {
        const used = histogramOf(former);
        used.clear();
        for (const value of values) used.add(value);
        expect(used.encode()).to.deep.equal(encodedOf(values));
        expect(used.quantiles(SHARES, boundsOf(values))).to.deep.equal(
          histogramOf(values).quantiles(SHARES, boundsOf(values)),
        );
      }),
    );
  });

  it('merged from any parts in any order equals that of all durations', () => {
    fc.assert(
      fc.property(durations, durations, durations, (a, b, c) => {
        const whole = encodedOf([...a, ...b, ...c]);
        const [x, y, z] = [encodedOf(a), encodedOf(b), encodedOf(c)];
        expect(merged(merged(x, y), z)).to.deep.equal(whole);
        expect(merged(x, merged(y, z))).to.deep.equal(whole);
        expect(merged(z, y, x)).to.deep.equal(whole);
      }),
    );
  });

  it('decodes concatenated bytes as it does single ones, so that the database can concatenate', () => {
    fc.assert(
      fc.property(fc.array(durations, { maxLength: 5 }), (parts) => {
        const concatenated = Buffer.concat(parts.map(encodedOf));
        expect(merged(concatenated)).to.deep.equal(encodedOf(parts.flat()));
      }),
    );
  });

  it('yields nothing when it is empty, and does not change one with which it is merged', () => {
    expect(new LatencyHistogram().quantiles(SHARES, { minUs: 0, maxUs: 0 })).to.deep.equal([]);
    const empty = encodedOf([]);
    fc.assert(
      fc.property(durations, (values) => {
        expect(merged(empty, encodedOf(values), empty)).to.deep.equal(encodedOf(values));
        expect(histogramOf(values).count).to.equal(values.length);
      }),
    );
  });

  it('never yields a value outside of the measured bounds', () => {
    fc.assert(
      fc.property(durations, (values) => {
        fc.pre(values.length > 0);
        const { minUs, maxUs } = boundsOf(values);
        for (const us of histogramOf(values).quantiles(SHARES, { minUs, maxUs })) {
          expect(us).to.be.within(minUs, maxUs);
        }
      }),
    );
  });

  it('is small: about 100 bytes for an hour of minute checks', () => {
    const hour = Array.from({ length: 60 }, (_, minute) => 40_000 + ((minute * 7_919) % 20_000));
    expect(encodedOf(hour).length).to.be.below(100);
  });

  it('refuses bytes that are not a histogram', () => {
    expect(() => new LatencyHistogram().addEncoded(Buffer.from([2, 1]))).to.throw(RangeError);
    expect(() => new LatencyHistogram().addEncoded(Buffer.from([1, 255, 127, 1]))).to.throw(RangeError);
  });
});
