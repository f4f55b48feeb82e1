import { expect } from 'chai';
import fc from 'fast-check';
import { StreamPlaces } from './stream-places.js';

describe('the places of streams', () => {
  it('a holder without a stream always gets a place, never more are taken than there are, and only a larger holder loses one', () => {
    const step = fc.record({ holder: fc.integer({ min: 0, max: 12 }), leaves: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 120 }), (most, steps) => {
        const places = new StreamPlaces(most);
        const open: { id: string; holder: string }[] = [];
        const heldBy = (name: string) => open.filter(({ holder }) => holder === name).length;
        for (const [index, { holder: number, leaves }] of steps.entries()) {
          const [id, holder] = [String(index), String(number)];
          if (leaves) {
            const first = open.find((one) => one.holder === holder);
            if (first) open.splice(open.indexOf(first), 1);
            places.release(first?.id ?? 'unknown');
          } else {
            const before = { own: heldBy(holder), all: open.length };
            const hasOne = places.hasOneFor(holder);
            const end = () => {
              const lost = open.findIndex((one) => one.id === id);
              const loser = open[lost]!.holder;
              const largest = Math.max(...open.map((one) => heldBy(one.holder)));
              expect(heldBy(loser), 'what the loser held').to.equal(largest);
              expect(open.slice(0, lost).some((one) => one.holder === loser)).to.equal(false);
              open.splice(lost, 1);
            };
            expect(places.take(holder, id, end)).to.equal(hasOne);
            if (hasOne) open.push({ id, holder });
            if (before.own === 0 || before.all < most) expect(hasOne).to.equal(true);
          }
          expect(places.size).to.equal(open.length);
          expect(open.length).to.be.at.most(most);
        }
      }),
    );
  });

  it('a holder of as many as the largest, or of one less, gets no place of another', () => {
    const places = new StreamPlaces(5);
    for (const [index, holder] of ['a', 'a', 'a', 'b', 'b'].entries()) places.take(holder, `${index}`, () => {});
    expect(['a', 'b', 'c'].map((holder) => places.hasOneFor(holder))).to.deep.equal([false, false, true]);
  });
});
