import { expect } from 'chai';
import fc from 'fast-check';
import { BAR_HEIGHT, barPaths, SLOT_WIDTH, STATE_LETTERS, statesOf } from './bar.js';

describe('A bar', () => {
  it('has each slot in the path of its state, and in no other', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Object.values(STATE_LETTERS)), maxLength: 100 }), (letters) => {
        const slots = statesOf(letters);
        const drawn: string[] = [];
        for (const [state, path] of barPaths(slots)) {
          for (const [, x, width] of path.matchAll(/M(\d+) \d+h(\d+)V24h-\2z/g)) {
            const from = Number(x) / SLOT_WIDTH;
            for (let slot = from; slot < from + Number(width) / SLOT_WIDTH; slot++) {
              expect(drawn[slot]).to.equal(undefined);
              drawn[slot] = state;
            }
          }
        }
        expect(drawn).to.deep.equal(slots);
      }),
      { numRuns: 40 },
    );
  });

  it('has an outage as its highest slot, and nothing green where a letter is not known', () => {
    expect(barPaths(['unavailable'])[0]![1]).to.equal(`M0 0h${SLOT_WIDTH}V${BAR_HEIGHT}h-${SLOT_WIDTH}z`);
    expect(statesOf('a?')).to.deep.equal(['available', 'unknown']);
  });
});
