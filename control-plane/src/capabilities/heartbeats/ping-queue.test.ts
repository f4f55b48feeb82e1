import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { type Fault } from '@watchpost/shared/fault';
import { PingQueue, type ReceivedPing } from './ping-queue.js';

const LIMITS = { everyMs: 0, batch: 10, perOwner: 30, waiting: 50 };
const pingOf = (token: string): ReceivedPing => ({
  hash: createHash('sha256').update(token).digest(),
  ping: { atMs: 0, kind: 'success', exitCode: null, rid: null, remoteAddress: '', userAgent: null, body: token },
});

/** A queue over a store of two tenants, with the batches that it got. */
function seedQueue() {
  const batches: string[][] = [];
  const known = new Map(
    ['flood', 'quiet'].map((token) => [pingOf(token).hash.toString('hex'), { ownerId: token }] as const),
  );
  let open = Promise.resolve();
  const queue = new PingQueue(
    {
      async store(pings) {
        batches.push(pings.map(({ ping }) => ping.body!));
        await open;
        if (pings.some(({ ping }) => ping.body === 'broken')) throw new Error('broken');
        return known;
      },
    },
    LIMITS,
  );
  return {
    queue,
    batches,
    /** Holds the transactions until the function is called. */
    hold(): () => void {
      let release = () => {};
      open = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
}

describe('The queue of pings', () => {
  it('answers each ping after its commit, with whether its token is known', async () => {
    const { queue } = seedQueue();
    expect(await Promise.all(['quiet', 'nobody', 'flood'].map((token) => queue.add(pingOf(token))))).to.deep.equal([
      true,
      false,
      true,
    ]);
  });

  it('lets owners take turns, and refuses the flood of one without delaying the other', async () => {
    const { queue, batches, hold } = seedQueue();
    await Promise.all([queue.add(pingOf('flood')), queue.add(pingOf('quiet'))]);
    const release = hold();
    const first = queue.add(pingOf('flood'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const flood = Array.from({ length: 40 }, () => queue.add(pingOf('flood')).catch((error: Fault) => error.code));
    const quiet = queue.add(pingOf('quiet'));
    release();
    expect(await quiet).to.equal(true);
    expect(
      batches.at(2)!.filter((token) => token === 'quiet'),
      'in the next transaction',
    ).to.have.length(1);
    const answers = await Promise.all(flood);
    expect(answers.filter((answer) => answer === 'unavailable')).to.have.length(10);
    expect(await first).to.equal(true);
    expect(queue.waiting).to.equal(0);
  });

  it('is bounded over all owners', async () => {
    const { queue, hold } = seedQueue();
    await Promise.all([queue.add(pingOf('flood')), queue.add(pingOf('quiet'))]);
    const release = hold();
    void queue.add(pingOf('flood'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const all = ['flood', 'quiet', 'new'].flatMap((token) =>
      Array.from({ length: 30 }, () => queue.add(pingOf(token)).catch((error: Fault) => error.retryAfterSeconds)),
    );
    expect(queue.waiting).to.equal(LIMITS.waiting);
    release();
    expect((await Promise.all(all)).filter((answer) => answer === 1)).to.have.length(40);
  });

  it('goes on after a transaction that failed', async () => {
    const { queue } = seedQueue();
    expect(await queue.add(pingOf('broken')).catch((error: Error) => error.message)).to.equal('broken');
    expect(await queue.add(pingOf('quiet'))).to.equal(true);
  });
});
