import { expect } from 'chai';
import fc from 'fast-check';
import { decideSecondOpinions, FULL_BUDGET } from './decide-second-opinions.js';

const START = 1_000_000;

describe('Second opinions', () => {
  it('are requested at once where a few checks fail', () => {
    expect(decideSecondOpinions(FULL_BUDGET, ['a', 'a', 'b', 'a', 'c'], 1_000).allowed).to.have.length(5);
  });

  it('are limited to 30 at once and 10 per second, and per owner to 8 and 1, however much fails', () => {
    const owner = fc.nat(50).map(String);
    const storms = fc.array(fc.tuple(fc.nat(2_000), fc.array(owner, { maxLength: 100 })), { maxLength: 50 });
    fc.assert(
      fc.property(storms, (storm) => {
        let [budget, nowMs] = [FULL_BUDGET, START];
        const asked: string[] = [];
        for (const [waitMs, wanted] of storm) {
          nowMs += waitMs;
          const decided = decideSecondOpinions(budget, wanted, nowMs);
          expect(new Set(decided.allowed).size).to.equal(decided.allowed.length);
          ({ budget } = decided);
          asked.push(...decided.allowed.map((index) => wanted[index]!));
        }
        const seconds = (nowMs - START) / 1_000;
        expect(asked.length).to.be.at.most(30 + seconds * 10);
        for (const one of new Set(asked))
          expect(asked.filter((other) => other === one).length).to.be.at.most(8 + seconds);
      }),
    );
  });

  it('remain available to others while the sites of three owners fail all the time', () => {
    const hostile = Array.from({ length: 600 }, (_, index) => `hostile-${index % 3}`);
    let budget = FULL_BUDGET;
    for (let tick = 0; tick < 100; tick++) ({ budget } = decideSecondOpinions(budget, hostile, START + tick * 100));
    expect(decideSecondOpinions(budget, [...hostile, 'victim'], START + 10_000).allowed).to.include(600);
  });
});
