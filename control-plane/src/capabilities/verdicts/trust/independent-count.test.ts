import { expect } from 'chai';
import fc from 'fast-check';
import { IndependentCount } from './independent-count.js';

const member = fc
  .tuple(fc.nat(4), fc.nat(4), fc.option(fc.nat(4)))
  .map(([a, b, c]) => ({ keys: [`a${a}`, `b${b}`, ...(c === null ? [] : [`c${c}`])] }));

describe('IndependentCount', () => {
  it('is between a third of the largest choice and all of it, whatever is added or deleted', () => {
    const steps = fc.array(fc.tuple(member, fc.boolean()), { maxLength: 14 });
    fc.assert(
      fc.property(steps, (all) => {
        const count = new IndependentCount();
        const present = new Set<{ keys: string[] }>();
        for (const [one, isDeleted] of all) {
          if (isDeleted && present.size > 0) {
            const [gone] = present;
            present.delete(gone!);
            count.delete(gone!);
          }
          present.add(one);
          count.add(one);
        }
        const most = largest([...present]);
        expect(count.size).to.be.within(Math.ceil(most / 3), most);
        expect(count.bound).to.be.at.least(count.size);
      }),
      { numRuns: 300 },
    );
  });

  it('decreases by at most one when a member with the keys of two others is added', () => {
    const count = new IndependentCount();
    count.add({ keys: ['a9', 'b1', 'c2'] });
    for (const index of [1, 2, 3]) count.add({ keys: [`a${index}`, `b${index}`, `c${index}`] });
    expect(count.size).to.equal(2);
  });
});

function largest(members: readonly { keys: string[] }[], taken: ReadonlySet<string> = new Set()): number {
  const [first, ...rest] = members;
  if (!first) return 0;
  const without = largest(rest, taken);
  if (first.keys.some((key) => taken.has(key))) return without;
  return Math.max(without, 1 + largest(rest, new Set([...taken, ...first.keys])));
}
