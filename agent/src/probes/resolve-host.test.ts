import { expect } from 'chai';
import { DeadlineClock } from './deadline-clock.js';
import { Deadline } from './deadline.js';
import { ProbeFault } from './probe-fault.js';
import { createHostResolver, type Lookup, type Resolved } from './resolve-host.js';

const never = new AbortController().signal;

/** A resolver whose answers come when the test says so. */
function slowLookup() {
  const open: { host: string; answer(...addresses: string[]): void }[] = [];
  let most = 0;
  const lookup: Lookup = (host, done) => {
    const question = {
      host,
      answer(...addresses: string[]): void {
        open.splice(open.indexOf(question), 1);
        done(null, addresses);
      },
    };
    open.push(question);
    most = Math.max(most, open.length);
  };
  return { lookup, open, mostAtOnce: () => most };
}

function setUp(threads: number, timeoutMs = 10_000) {
  const slow = slowLookup();
  const clock = new DeadlineClock();
  const resolve = createHostResolver({ threads, lookup: slow.lookup, isResolverAlive: () => Promise.resolve(true) });
  const deadlines: Deadline[] = [];
  const ask = (host: string, limitMs = timeoutMs): Promise<Resolved | ProbeFault> => {
    const deadline = new Deadline(limitMs, never, clock);
    deadlines.push(deadline);
    return resolve(host, deadline).finally(() => deadline.dispose());
  };
  return { ...slow, ask, deadlines };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('host resolver', () => {
  it('asks no more at a time than the thread pool answers', async () => {
    for (const [threads, atOnce] of [
      [1, 1],
      [4, 2],
      [16, 8],
    ] as const) {
      const { ask, open, mostAtOnce } = setUp(threads);
      const answers = Array.from({ length: 20 }, (_, index) => ask(`host-${index}.example`));
      while (open.length > 0) open[0]!.answer('192.0.2.1');
      expect(await Promise.all(answers)).to.have.length(20);
      expect(mostAtOnce(), `${threads} threads`).to.equal(atOnce);
    }
  });

  it('does not count its own queue to the target: the wait is told apart and given back', async () => {
    const { ask, open, deadlines } = setUp(1);
    const first = ask('slow.example');
    const second = ask('shop.example');
    const endsAt = deadlines[1]!.endsAt;
    await pause(60);
    open[0]!.answer('192.0.2.1');
    open[0]!.answer('192.0.2.2');
    expect(((await first) as Resolved).queuedUs).to.be.below(5_000);
    const resolved = (await second) as Resolved;
    expect(resolved.addresses).to.deep.equal(['192.0.2.2']);
    expect(resolved.queuedUs).to.be.within(50_000, 1_000_000);
    expect(resolved.us).to.be.below(50_000);
    expect(deadlines[1]!.endsAt - endsAt).to.be.closeTo(resolved.queuedUs / 1_000, 1);
  });

  it('asks once for a host that several checks want at once', async () => {
    const { ask, open } = setUp(4);
    const answers = [ask('shop.example'), ask('shop.example'), ask('shop.example')];
    expect(open.map((question) => question.host)).to.deep.equal(['shop.example']);
    open[0]!.answer('192.0.2.1');
    for (const answer of await Promise.all(answers))
      expect((answer as Resolved).addresses).to.deep.equal(['192.0.2.1']);
    const again = ask('shop.example');
    expect(open, 'nothing is remembered').to.have.length(1);
    open[0]!.answer('192.0.2.9');
    expect(((await again) as Resolved).addresses).to.deep.equal(['192.0.2.9']);
  });

  it('blames the agent for a check whose time ran out in the queue, and never asks for it', async () => {
    const { ask, open } = setUp(1);
    void ask('slow.example');
    expect(await ask('shop.example', 50)).to.deep.equal(new ProbeFault('agent_queue'));
    open[0]!.answer('192.0.2.1');
    expect(open).to.deep.equal([]);
  });
});
