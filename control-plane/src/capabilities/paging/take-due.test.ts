import { expect } from 'chai';
import { takeDue } from './take-due.js';

/** At most this many are found at once, as the oldest of one owner are. */
const FOUND_AT_ONCE = 3;

describe('What is due', () => {
  async function take(due: string[], fails: (one: string) => boolean) {
    const left = new Set(due);
    const groups: string[] = [];
    const outcome = await takeDue<string>(
      async (failed) => [...left].filter((one) => !failed.includes(one)).slice(0, FOUND_AT_ONCE),
      ([owner]) => owner!,
      async (group) => {
        groups.push(group.join(' '));
        if (group.some(fails)) throw new Error(group.join(' '));
        for (const one of group) left.delete(one);
        return group.length;
      },
    ).catch((error: Error) => error.message);
    return { outcome, groups, left: [...left] };
  }

  it('is taken together by group', async () => {
    const { outcome, groups } = await take(['a1', 'a2', 'b1', 'a3'], () => false);
    expect([outcome, groups]).to.deep.equal([4, ['a1 a2', 'b1', 'a3']]);
  });

  it('is taken although more fails for good than is found at once, and the first failure is reported', async () => {
    const { outcome, left } = await take(['a1', 'a2', 'a3', 'a4', 'a5', 'b1'], (one) => one < 'a5');
    expect([outcome, left]).to.deep.equal(['a1', ['a1', 'a2', 'a3', 'a4']]);
  });
});
