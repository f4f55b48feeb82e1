import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { type Fault } from '@watchpost/shared/fault';
import { MovedTime } from '@watchpost/shared/moved-time';
import { PingQueue, type ReceivedPing } from './ping-queue.js';

const LIMITS = { everyMs: 0, batch: 10, perOwner: 30, waiting: 50, unknown: 40, lockedMs: 50 };
const pingOf = (token: string, remoteAddress = '192.0.2.1'): ReceivedPing => ({
  hash: createHash('sha256').update(token).digest(),
  ping: { atMs: 0, kind: 'success', exitCode: null, rid: null, remoteAddress, userAgent: null, body: token },
});

/** A queue over a store of two tenants, with the batches that it got. */
function seedQueue() {
  const batches: string[][] = [];
  const known = new Map(
    ['flood', 'quiet'].map((token) => [pingOf(token).hash.toString('hex'), { ownerId: token }] as const),
  );
  const failed: string[] = [];
  /** What no longer fails. */
  const mended = new Set<string>();
  let open = Promise.resolve();
  const queue = new PingQueue(
    {
      async store(pings) {
        batches.push(pings.map(({ ping }) => ping.body!));
        await open;
        for (const reason of ['away', 'broken', 'locked'])
          if (pings.some(({ ping }) => ping.body === reason && !mended.has(reason))) throw new Error(reason);
        return known;
      },
      isOfAPart: (error) => (error as Error).message !== 'away',
      isLockConflict: (error) => (error as Error).message === 'locked',
      onFailed: (_, owner) => failed.push(owner),
    },
    LIMITS,
  );
  return {
    queue,
    batches,
    failed,
    mended,
    /** Holds the transactions until the function is called. */
    hold(): () => void {
      let release = () => {};
      open = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
}

describe('The queue of pings', () => {
  let time: MovedTime;
  beforeEach(() => void (time = new MovedTime()));
  afterEach(() => time.reset());

  it('answers each ping after its commit, with whether its token is known', async () => {
    const { queue } = seedQueue();
    const answers = Promise.all(['quiet', 'nobody', 'flood'].map((token) => queue.add(pingOf(token))));
    expect(await time.untilEnd(answers)).to.deep.equal([true, false, true]);
  });

  it('lets owners take turns, and refuses the flood of one without delaying the other', async () => {
    const { queue, batches, hold } = seedQueue();
    await time.untilEnd(Promise.all([queue.add(pingOf('flood')), queue.add(pingOf('quiet'))]));
    const release = hold();
    const first = queue.add(pingOf('flood'));
    await time.pass(1);
    const flood = Array.from({ length: 40 }, () => queue.add(pingOf('flood')).catch((error: Fault) => error.code));
    const quiet = queue.add(pingOf('quiet'));
    release();
    expect(await time.untilEnd(quiet)).to.equal(true);
    expect(
      batches.at(2)!.filter((token) => token === 'quiet'),
      'in the next transaction',
    ).to.have.length(1);
    const answers = await time.untilEnd(Promise.all(flood));
    expect(answers.filter((answer) => answer === 'unavailable')).to.have.length(10);
    expect(await time.untilEnd(first)).to.equal(true);
    expect(queue.waiting).to.equal(0);
  });

  it('is bounded over all owners', async () => {
    const { queue, hold } = seedQueue();
    await time.untilEnd(Promise.all([queue.add(pingOf('flood')), queue.add(pingOf('quiet'))]));
    const release = hold();
    void queue.add(pingOf('flood'));
    await time.pass(1);
    const all = ['flood', 'quiet', 'new'].flatMap((token) =>
      Array.from({ length: 30 }, () => queue.add(pingOf(token)).catch((error: Fault) => error.retryAfterSeconds)),
    );
    expect(queue.waiting).to.equal(LIMITS.waiting);
    release();
    expect((await time.untilEnd(Promise.all(all))).filter((answer) => answer === 1)).to.have.length(40);
  });

  it('lets senders of tokens that it has not seen take turns by address, and one who sends most gives a place to another', async () => {
    const { queue, batches, hold } = seedQueue();
    const release = hold();
    const first = queue.add(pingOf('nobody'));
    await time.pass(1);
    const refused = (error: Fault) => error.code;
    // Addresses of one IPv6 /48 are one sender.
    const flood = ['2001:db8:1', '2001:db8:2'].flatMap((network) =>
      Array.from({ length: 100 }, (_, index) => queue.add(pingOf('guess', `${network}:${index}::1`)).catch(refused)),
    );
    const addresses = ['192.0.2.7', '192.0.2.8', '2001:db8:3::1'];
    const victims = addresses.map((address) => queue.add(pingOf('quiet', address)));
    release();
    expect(await time.untilEnd(Promise.all([first, ...victims]))).to.deep.equal([false, true, true, true]);
    const outcomes = await time.untilEnd(Promise.all(flood));
    expect(outcomes.filter((outcome) => outcome === false)).to.have.length(40 - addresses.length);
    expect(outcomes.filter((outcome) => outcome === 'unavailable')).to.have.length(200 - 40 + addresses.length);
    expect(
      batches[1]!.filter((token) => token === 'quiet'),
      'in the next transaction',
    ).to.have.length(3);
  });

  it('goes on after a transaction that failed', async () => {
    const { queue } = seedQueue();
    const broken = queue.add(pingOf('broken')).catch((error: Error) => error.message);
    expect(await time.untilEnd(broken)).to.equal('broken');
    expect(await time.untilEnd(queue.add(pingOf('quiet')))).to.equal(true);
  });

  it('fails the ping that cannot be stored, and no other of its transaction', async () => {
    const { queue, failed } = seedQueue();
    const tokens = ['quiet', 'broken', 'flood', 'quiet', 'nobody'];
    const answers = tokens.map((token) => queue.add(pingOf(token)).catch((error: Error) => error.message));
    expect(await time.untilEnd(Promise.all(answers))).to.deep.equal([true, 'broken', true, true, false]);
    expect(failed).to.deep.equal(['unknown token from 192.0.2.1']);
    expect(queue.takeLoss(), 'the sender has lost it, not this process').to.equal(false);
  });

  it('sets a ping aside whose rows are locked, while others go on, and gives it up after a while', async () => {
    const { queue, mended } = seedQueue();
    const [quiet, locked] = [
      queue.add(pingOf('quiet')),
      queue.add(pingOf('locked')).catch((error: Error) => error.message),
    ];
    expect(await time.untilEnd(quiet)).to.equal(true);
    expect(await time.untilEnd(queue.add(pingOf('quiet')))).to.equal(true);
    expect(await time.untilEnd(locked)).to.equal('locked');
    const later = queue.add(pingOf('locked'));
    await time.untilEnd(queue.add(pingOf('quiet')));
    mended.add('locked');
    expect(await time.untilEnd(later), 'an unknown token').to.equal(false);
    expect(queue.waiting).to.equal(0);
  });

  it('fails all pings while the database is away, and does not count as receiving then', async () => {
    const { queue, batches } = seedQueue();
    const answers = ['quiet', 'away'].map((token) => queue.add(pingOf(token)).catch((error: Error) => error.message));
    expect(await time.untilEnd(Promise.all(answers))).to.deep.equal(['away', 'away']);
    expect(batches).to.have.length(1);
    expect([queue.takeLoss(), queue.takeLoss()]).to.deep.equal([true, false]);
  });

  it('knows the tokens that were pinged last from the start, so that they have their owner’s places', async () => {
    const { queue } = seedQueue();
    queue.remember([{ hash: pingOf('quiet').hash, ownerId: 'quiet' }]);
    expect([queue.knows(pingOf('quiet').hash), queue.knows(pingOf('flood').hash)]).to.deep.equal([true, false]);
    expect(await time.untilEnd(queue.add(pingOf('quiet')))).to.equal(true);
  });

  it('keeps the order of the pings of a token while its rows are locked, and of those that a part fails', async () => {
    const { queue, batches, mended, hold } = seedQueue();
    const pingAs = (body: string): ReceivedPing => {
      const ping = pingOf('flood');
      return { ...ping, ping: { ...ping.ping, body } };
    };
    const release = hold();
    const all = ['locked', 'second', 'third'].map((body) => queue.add(pingAs(body)));
    await time.pass(1);
    all.push(queue.add(pingAs('during the transaction')));
    release();
    await time.pass(20);
    mended.add('locked');
    await time.untilEnd(Promise.all(all));
    expect(batches.at(-1)).to.deep.equal(['locked', 'second', 'third', 'during the transaction']);
    expect(batches.flat().filter((body) => body === 'third')).to.have.length(batches.length);
    batches.length = 0;
    const others = ['first', 'broken', 'third', 'fourth'].map((body) => queue.add(pingAs(body)));
    await time.untilEnd(Promise.allSettled(others));
    const stored = batches.filter((bodies) => !bodies.includes('broken')).flat();
    expect(stored).to.deep.equal(['first', 'third', 'fourth']);
  });

  it('lets a stranger wait for no more than two locks, however many locked pings are in his transaction', async () => {
    const { queue, batches } = seedQueue();
    const locked = { ...pingOf('flood'), ping: { ...pingOf('flood').ping, body: 'locked' } };
    await time.untilEnd(queue.add(pingOf('flood')));
    await time.untilEnd(queue.add(pingOf('quiet')));
    batches.length = 0;
    const flood = Array.from({ length: 9 }, () => queue.add(locked).catch(() => undefined));
    await time.untilEnd(queue.add(pingOf('quiet')));
    expect(batches.filter((bodies) => bodies.includes('locked')).length).to.be.at.most(2);
    await time.untilEnd(Promise.all(flood));
  });
});
