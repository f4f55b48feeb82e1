import { expect } from 'chai';
import { once } from './once.js';

describe('What is done once for a version of an object', () => {
  it('is not done again for the same version, also while it is under way', async () => {
    let times = 0;
    const work = () => Promise.resolve(void times++);
    await Promise.all([once('pause a', '1', work), once('pause a', '1', work)]);
    await once('pause a', '1', work);
    expect(times).to.equal(1);
    await once('pause b', '1', work);
    await once('pause a', '2', work);
    expect(times).to.equal(3);
  });

  it('can be tried again where it failed', async () => {
    const failed = await once('send', '1', () => Promise.reject(new Error('lost'))).catch(
      (error: Error) => error.message,
    );
    let isDone = false;
    await once('send', '1', () => Promise.resolve(void (isDone = true)));
    expect([failed, isDone]).to.deep.equal(['lost', true]);
  });
});
