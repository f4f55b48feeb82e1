import { expect } from 'chai';
import fc from 'fast-check';
import { CHECK_KINDS } from '@watchpost/shared/check';
import { checkCode, keyOfCode } from './check-code.js';

describe('the code of a check', () => {
  it('stands for its key and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 }), fc.constantFrom(...CHECK_KINDS), (monitorKey, kind) => {
        const code = checkCode({ monitorKey, kind });
        expect(Number.isSafeInteger(code)).to.equal(true);
        expect(keyOfCode(code)).to.deep.equal({ monitorKey, kind });
      }),
    );
  });
});
