import { expect } from 'chai';
import fc from 'fast-check';
import { compareNumbers, Decimal, exactNumber, isRounded, TooLargeNumber } from './exact-number.js';

/** Texts of numbers, many of which are equal or differ in their last digits only. */
const text = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      fc.constantFrom('0', '9', '9007199254740992', '9007199254740993'),
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
    ),
    zeros: fc.nat(20),
    fraction: fc.oneof(
      fc.constantFrom('', '0', '1', '10', '09', '30000000000000004'),
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
    ),
    exponent: fc.option(fc.integer({ min: -40, max: 40 })),
  })
  .map(({ sign, whole, zeros, fraction, exponent }) => {
    const decimals = fraction === '' ? '' : `.${'0'.repeat(zeros)}${fraction}`;
    return `${sign}${whole}${decimals}${exponent === null ? '' : `e${exponent}`}`;
  });

/** The number times ten to the power of 200, which is whole. */
function scaled(number: string): bigint {
  const [mantissa = '', exponent = '0'] = number.split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(200 + Number(exponent) - fraction.length);
}
const signOf = (value: bigint | number) => (value > 0 ? 1 : value < 0 ? -1 : 0);
const compare = (a: string, b: string) => signOf(compareNumbers(exactNumber(a), exactNumber(b)));

describe('exact numbers', () => {
  it('are compared as rational numbers are', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(compare(a, b)).to.equal(signOf(scaled(a) - scaled(b)));
        expect(compare(a, a)).to.equal(0);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are numbers of JavaScript where these are the same', () => {
    fc.assert(
      fc.property(text, (a) => {
        const number = exactNumber(a);
        if (typeof number === 'number') expect(scaled(String(number))).to.equal(scaled(a));
        expect(isRounded(a)).to.equal(scaled(String(Number(a))) !== scaled(a));
      }),
    );
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (a) => !isRounded(String(a))));
  });

  it('have any exponent, and at most 1,000 digits', () => {
    expect(compare('1e999999999', '1e999999998')).to.equal(1);
    expect(compare('-1e999999999', '1e-999999999')).to.equal(-1);
    expect(compare('1e999999999', '9'.repeat(1_000))).to.equal(1);
    expect(compare(`0.${'0'.repeat(990)}1`, '1e-991')).to.equal(0);
    expect(() => compare('9'.repeat(1_001), '1')).to.throw(TooLargeNumber);
    expect(isRounded('9'.repeat(1_001))).to.equal(true);
    expect(compare('0e99999999999999999999', '-0')).to.equal(0);
    expect(compare('1e99999999999999999999', '1')).to.equal(1);
    expect(() => compare('1e99999999999999999999', '1e99999999999999999998')).to.throw(TooLargeNumber);
    expect(String(new Decimal('1.10'))).to.equal('1.10');
  });
});
