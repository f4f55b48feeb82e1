import { setImmediate } from 'node:timers/promises';
import type { Tenancy } from '@watchpost/shared/fair-share';
import type { Lookup } from '@watchpost/shared/names/system-names';
import { expect } from 'chai';
import { DeadlineClock } from './deadline-clock.js';
import { Deadline } from './deadline.js';
import { ProbeFault } from './probe-fault.js';
import { createHostResolver, type NameQueueCause, type Resolved } from './resolve-host.js';

const never = new AbortController().signal;

/** A resolver whose answers the test controls. */
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

const VICTIM = { ownerKey: 'victim', siteKey: 'shop' };
const hostile = (site: number) => ({ ownerKey: 'hostile', siteKey: `slow ${site}` });

function setUp(atOnce: number, timeoutMs = 10_000, isAlive = true) {
  const slow = slowLookup();
  const clock = new DeadlineClock();
  const givenUp: NameQueueCause[] = [];
  const { resolve, queue } = createHostResolver({
    atOnce,
    lookup: slow.lookup,
    isResolverAlive: () => Promise.resolve(isAlive),
    onAbandoned: (cause) => givenUp.push(cause),
  });
  const deadlines: Deadline[] = [];
  const ask = (host: string, limitMs = timeoutMs, tenancy: Tenancy = {}): Promise<Resolved | ProbeFault> => {
    const deadline = new Deadline(limitMs, never, clock, tenancy);
    deadlines.push(deadline);
    return resolve(host, deadline).finally(() => deadline.dispose());
  };
  return { ...slow, ask, resolve, deadlines, givenUp, queue };
}

/** Lets time pass only by `advance`. */
async function withMovedTime(work: (advance: (ms: number) => void) => Promise<void>): Promise<void> {
  const real = performance.now;
  let now = 0;
  performance.now = () => now;
  try {
    await work((ms) => (now += ms));
  } finally {
    performance.now = real;
  }
}

describe('the host resolver', () => {
  it('limits the number of simultaneous lookups, and of one owner to half of it', async () => {
    const { ask, open, mostAtOnce, queue } = setUp(16);
    const answers = Array.from({ length: 40 }, (_, index) => ask(`host-${index}.example`));
    expect([queue.open, queue.waiting]).to.deep.equal([8, 32]);
    while (open.length > 0) open[0]!.answer('192.0.2.1');
    expect(await Promise.all(answers)).to.have.length(40);
    expect(mostAtOnce()).to.equal(8);
    expect([queue.open, queue.waiting]).to.deep.equal([0, 0]);
  });

  it('looks up a name of another owner at once, however many slow names one owner has', async () => {
    const { ask, open, givenUp } = setUp(16, 100);
    const slow = Array.from({ length: 200 }, (_, index) => ask(`slow-${index}.example`, 100, hostile(index)));
    const victim = ask('shop.example', 100, VICTIM);
    open.find(({ host }) => host === 'shop.example')!.answer('192.0.2.1');
    expect(((await victim) as Resolved).addresses).to.deep.equal(['192.0.2.1']);
    const outcomes = new Map<string, number>();
    for (const one of await Promise.all(slow))
      outcomes.set((one as ProbeFault).key, (outcomes.get((one as ProbeFault).key) ?? 0) + 1);
    expect(Object.fromEntries(outcomes)).to.deep.equal({ dns_timeout: 8, own_names_queue: 192 });
    expect(new Set(givenUp)).to.deep.equal(new Set(['ownShare']));
  });

  it('looks up a queued name at once when the turn comes to its owner', async () => {
    const { ask, open } = setUp(16);
    for (let index = 0; index < 50; index++) void ask(`slow-${index}.example`, 10_000, hostile(index));
    const queued = ask('shop.example', 10_000, hostile(50));
    const victim = ask('shop.example', 10_000, VICTIM);
    expect(open.filter(({ host }) => host === 'shop.example')).to.have.length(1);
    open.find(({ host }) => host === 'shop.example')!.answer('192.0.2.1');
    for (const one of await Promise.all([queued, victim]))
      expect((one as Resolved).addresses).to.deep.equal(['192.0.2.1']);
  });

  it('adds the time in its queue to the deadline when the lookup starts, and reports it separately', async () => {
    await withMovedTime(async (advance) => {
      const { ask, open, deadlines } = setUp(1);
      const first = ask('slow.example');
      const second = ask('shop.example');
      const endsAt = deadlines[1]!.endsAt;
      advance(60);
      open[0]!.answer('192.0.2.1');
      expect(deadlines[1]!.endsAt - endsAt).to.equal(60);
      advance(7);
      open[0]!.answer('192.0.2.2');
      expect(await first).to.deep.equal({ addresses: ['192.0.2.1'], us: 60_000, queuedUs: 0 });
      expect(await second).to.deep.equal({ addresses: ['192.0.2.2'], us: 7_000, queuedUs: 60_000 });
    });
  });

  it('reports a timeout as a fault of the agent if the waits of a check are longer than its timeout', async () => {
    const { resolve, open } = setUp(1);
    const clock = { add: () => {}, delete: () => {} } as unknown as DeadlineClock;
    await withMovedTime(async (advance) => {
      const deadline = new Deadline(1_000, never, clock, VICTIM);
      /** One hop of a redirect chain, whose lookup waits for another one and is then open. */
      const hop = (waitMs: number) => {
        void resolve('slow.example', new Deadline(60_000, never, clock, hostile(1)));
        const resolved = resolve('shop.example', deadline);
        advance(waitMs);
        open[0]!.answer('192.0.2.1');
        return resolved;
      };
      const first = hop(600);
      open[0]!.answer('192.0.2.2');
      expect(((await first) as Resolved).addresses).to.deep.equal(['192.0.2.2']);
      expect(deadline.endsAt).to.equal(1_600);
      const second = hop(600);
      expect(deadline.endsAt).to.equal(2_000);
      advance(800);
      deadline.onTime();
      expect(((await second) as ProbeFault).isAgentFault).to.equal(true);
    });
  });

  it('looks a host up once for several simultaneous checks', async () => {
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

  it('goes on with a lookup that starts while the deadline is being processed', async () => {
    const { ask, open, deadlines } = setUp(1);
    void ask('slow.example');
    const second = ask('shop.example');
    deadlines[1]!.onTime();
    open[0]!.answer('192.0.2.1');
    await setImmediate();
    open[0]!.answer('192.0.2.2');
    expect(((await second) as Resolved).addresses).to.deep.equal(['192.0.2.2']);
  });

  it('reports a timeout as a fault of the agent if its resolver does not answer other queries', async () => {
    for (const isAlive of [false, true]) {
      const { ask, open, deadlines } = setUp(1, 10_000, isAlive);
      void ask('slow.example');
      const queued = ask('shop.example');
      open[0]!.answer('192.0.2.1');
      deadlines[1]!.onTime();
      const { key } = (await queued) as ProbeFault;
      expect(key).to.equal(isAlive ? 'dns_timeout' : 'agent_no_resolver');
      open[0]!.answer('192.0.2.2');
    }
  });

  it('reports a timeout in the queue as a fault of the agent, without a lookup', async () => {
    const { ask, open } = setUp(1);
    void ask('slow.example', 10_000, hostile(1));
    expect(await ask('shop.example', 50, VICTIM)).to.deep.equal(new ProbeFault('agent_queue'));
    open[0]!.answer('192.0.2.1');
    expect(open).to.deep.equal([]);
  });
});
