import { expect } from 'chai';
import fc from 'fast-check';
import { epochOf, epochText } from './epoch-text.js';

const history = fc.constantFrom('', 'one', 'two');

describe('The epoch of an assignment', () => {
  it('is known again in the same history of the database only', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), history, history, (epoch, before, now) => {
        expect(epochOf(epochText(String(epoch), before), now)).to.equal(before === now ? String(epoch) : '');
      }),
    );
    expect(epochOf('', 'one')).to.equal('');
  });
});
