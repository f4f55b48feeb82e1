import { expect } from 'chai';
import fc from 'fast-check';
import { CHECK_KINDS, checkCode, keyOfCode, kindCodeOf, possibleCodes } from './check.js';

describe('a check code', () => {
  it('is a safe integer that identifies one check and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 49 }), fc.constantFrom(...CHECK_KINDS), (monitorKey, kind) => {
        const code = checkCode({ monitorKey, kind });
        expect(Number.isSafeInteger(code)).to.equal(true);
        expect(keyOfCode(code)).to.deep.equal({ monitorKey, kind });
        expect(possibleCodes(monitorKey)).to.include(code);
      }),
    );
  });

  it('is different for every kind', () => {
    const kinds = possibleCodes(0).map(kindCodeOf);
    expect(new Set(kinds).size).to.equal(CHECK_KINDS.length);
    expect(kinds).not.to.include(0);
  });
});
