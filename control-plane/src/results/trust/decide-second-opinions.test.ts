import { expect } from 'chai';
import fc from 'fast-check';
import { decideSecondOpinions, FULL_BUDGET } from './decide-second-opinions.js';

describe('Second opinions', () => {
  it('are asked for at once where a few checks fail', () => {
    expect(decideSecondOpinions(FULL_BUDGET, 5, 1_000).allowed).to.equal(5);
  });

  it('are never more than thirty at once and ten a second, however much fails', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2_000), fc.nat(500)), { maxLength: 50 }), (storm) => {
        let [budget, nowMs, asked] = [FULL_BUDGET, 1_000_000, 0];
        for (const [waitMs, wanted] of storm) {
          nowMs += waitMs;
          const decided = decideSecondOpinions(budget, wanted, nowMs);
          expect(decided.allowed).to.be.within(0, wanted);
          ({ budget } = decided);
          asked += decided.allowed;
        }
        expect(asked).to.be.at.most(30 + ((nowMs - 1_000_000) / 1_000) * 10);
      }),
    );
  });
});
