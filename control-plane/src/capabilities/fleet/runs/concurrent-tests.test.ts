import { expect } from 'chai';
import type { Fault } from '@watchpost/shared/fault';
import { MAX_CONCURRENT_TESTS, ConcurrentTests } from './concurrent-tests.js';

describe('one-off tests of an account', () => {
  it('are limited for each account, and free their place when they end or fail', async () => {
    const tests = new ConcurrentTests();
    const ends: ((error?: Error) => void)[] = [];
    const start = (ownerId: string) =>
      tests.run(
        ownerId,
        () =>
          new Promise<string>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve('tested')))),
      );
    const refusal = () => start('mine').catch((fault: Fault) => [fault.code, fault.retryAfterSeconds]);
    const mine = Array.from({ length: MAX_CONCURRENT_TESTS }, () => start('mine').catch(() => 'failed'));
    expect(await refusal()).to.deep.equal(['rate_limited', 2]);
    const theirs = start('theirs');
    ends[0]!(new Error('no agent'));
    ends[1]!();
    expect(await Promise.all(mine.slice(0, 2))).to.deep.equal(['failed', 'tested']);
    const next = [start('mine'), start('mine')];
    expect(await refusal()).to.deep.equal(['rate_limited', 2]);
    for (const end of ends) end();
    expect(await Promise.all([theirs, ...next])).to.deep.equal(['tested', 'tested', 'tested']);
  });
});
