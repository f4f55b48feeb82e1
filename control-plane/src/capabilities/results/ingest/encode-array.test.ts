import { expect } from 'chai';
import fc from 'fast-check';
import { type ArrayType, encodeArray } from './encode-array.js';

const BOUNDS: Record<ArrayType, number> = {
  bigint: Number.MAX_SAFE_INTEGER,
  integer: 2 ** 31 - 1,
  smallint: 2 ** 15 - 1,
};

/** Decodes as `array_recv` does. */
function decode(bytes: Buffer): number[] {
  const [dimensions, nulls, oid, length, lowest] = [0, 4, 8, 12, 16].map((at) => bytes.readInt32BE(at));
  expect([dimensions, nulls, lowest]).to.deep.equal([1, 0, 1]);
  expect(oid).to.be.oneOf([20, 21, 23]);
  const values: number[] = [];
  for (let at = 20; at < bytes.length;) {
    const size = bytes.readInt32BE(at);
    values.push(size === 8 ? Number(bytes.readBigInt64BE(at + 4)) : bytes.readIntBE(at + 4, size));
    at += 4 + size;
  }
  expect(values).to.have.length(length!);
  return values;
}

describe('encodeArray', () => {
  for (const [type, bound] of Object.entries(BOUNDS) as [ArrayType, number][]) {
    it(`preserves every ${type}, negative ones too`, () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: -bound, max: bound })), (values) => {
          expect(decode(encodeArray(values, type, (value) => value))).to.deep.equal(values);
        }),
      );
    });
  }
});
