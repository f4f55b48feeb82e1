import { expect } from 'chai';
import { EACH_AT_ONCE, eachInTurn } from './each-in-turn.js';

describe('work for many workspaces', () => {
  it('is done once for each, whatever fails, and reports the first failure', async () => {
    const all = Array.from({ length: 2 * EACH_AT_ONCE + 3 }, (_, place) => String(place).padStart(4, '0'));
    const done: string[] = [];
    const work = eachInTurn(
      async (after) => all.filter((one) => after === null || one > after).slice(0, EACH_AT_ONCE),
      async (one) => {
        done.push(one);
        if (Number(one) < EACH_AT_ONCE + 5) throw new Error(one);
      },
      (one) => one,
    );
    expect(await work.then(String, String)).to.equal('Error: 0000');
    expect(done).to.deep.equal(all);
  });
});
