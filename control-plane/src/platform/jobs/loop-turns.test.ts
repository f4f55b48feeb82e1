import { expect } from 'chai';
import fc from 'fast-check';
import { LoopTurns } from './loop-turns.js';

const PER_TURN = 10;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** As many parts as fit into each turn, in order, and one at least. */
function expectedTurns(parts: readonly number[]): number[][] {
  const turns: number[][] = [];
  let left = -1;
  for (const units of parts) {
    if (units <= left) turns.at(-1)!.push(units);
    else turns.push([units]);
    left = (units <= left ? left : PER_TURN) - units;
  }
  return turns;
}

describe('turns of the event loop', () => {
  it('have their share of the work each, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 40 }), async (parts) => {
        const turns = new LoopTurns(PER_TURN);
        const expected = expectedTurns(parts);
        const served: number[] = [];
        for (const units of parts) void turns.take(units).then(() => served.push(units));
        for (const own of expected) {
          await nextTurn();
          expect(served.splice(0)).to.deep.equal(own);
        }
      }),
    );
  });

  it('let other work of the event loop come in between', async () => {
    const turns = new LoopTurns(PER_TURN);
    const order: string[] = [];
    const work = ['first', 'second', 'third'].map((name) => turns.take(PER_TURN).then(() => order.push(name)));
    setImmediate(() => order.push('other'));
    await Promise.all(work);
    expect(order).to.deep.equal(['first', 'other', 'second', 'third']);
  });
});
