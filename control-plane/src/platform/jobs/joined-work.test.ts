import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { JoinedWork } from './joined-work.js';

describe('joined work', () => {
  it('runs the first at once, and joins what comes meanwhile, up to its limit and in order', async () => {
    const runs: number[][] = [];
    const work = new JoinedWork(async (items: readonly number[]) => {
      runs.push([...items]);
      await turn();
      return items.map((item) => item * 2);
    }, 3);
    const results = await Promise.all([1, 2, 3, 4, 5, 6].map((item) => work.do(item)));
    expect(results).to.deep.equal([2, 4, 6, 8, 10, 12]);
    expect(runs).to.deep.equal([[1], [2, 3, 4], [5, 6]]);
  });

  it('gives every item its own result or error, whatever the others do', async () => {
    const plan = fc.array(fc.record({ fails: fc.boolean(), pause: fc.boolean() }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 5 }), async (items, most) => {
        const work = new JoinedWork(async (numbers: readonly number[]) => {
          await turn();
          const failing = numbers.find((number) => items[number]!.fails);
          if (failing !== undefined) throw new Error(`${failing} fails`);
          return numbers;
        }, most);
        const running: Promise<unknown>[] = [];
        for (const [number, { pause }] of items.entries()) {
          running.push(work.do(number).catch((error: Error) => error.message));
          if (pause) await turn();
        }
        expect(await Promise.all(running)).to.deep.equal(
          items.map(({ fails }, number) => (fails ? `${number} fails` : number)),
        );
      }),
      { numRuns: 50 },
    );
  });
});
