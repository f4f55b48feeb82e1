import { expect } from 'chai';
import { sendTogether } from './send-together.js';

describe('statements that are sent together', () => {
  it('give their results in order', async () => {
    expect(await sendTogether(Promise.resolve(1), Promise.resolve('a'))).to.deep.equal([1, 'a']);
  });

  it('fail with what failed first, after all of them have ended', async () => {
    const ended: string[] = [];
    const part = async (name: string, turns: number, error?: Error) => {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      ended.push(name);
      if (error) throw error;
    };
    const failed = sendTogether(part('a', 9, new Error('aborted')), part('b', 1, new Error('deadlock')), part('c', 20));
    expect(await failed.catch(({ message }: Error) => message)).to.equal('deadlock');
    expect(ended).to.deep.equal(['b', 'a', 'c']);
  });
});
