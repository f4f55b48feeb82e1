import { expect } from 'chai';
import { ManualClock } from '@watchpost/shared/clock';
import { createLocalLimiter } from '../../platform/coordination/limiters.js';
import type { CreateLimiter } from '../../platform/http/rate-limiter.js';
import { VisitorLimit } from './visitor-limit.js';

const POLICY = { keyPrefix: 'test', points: 30, windowSeconds: 60 };

describe('Visitors', () => {
  it('are slowed down by address, a whole IPv6 network as one', async () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 21));
    const limit = new VisitorLimit(clock, { keyPrefix: 'test', points: 2, windowSeconds: 60 }, null);
    const take = (address: string) =>
      limit.take(address).then(
        () => 'admitted',
        ({ code, retryAfterSeconds }: { code: string; retryAfterSeconds: number }) => [code, retryAfterSeconds],
      );
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) expect(await take(address)).to.equal('admitted');
    clock.advance(20_000);
    expect(await take('192.0.2.1')).to.deep.equal(['rate_limited', 40]);
    for (const address of ['2001:db8::1', '2001:db8::2']) expect(await take(address)).to.equal('admitted');
    expect(await take('2001:db8::3')).to.deep.equal(['rate_limited', 60]);
    clock.advance(40_000);
    expect(await take('192.0.2.1')).to.equal('admitted');
  });

  it('are not kept out by a clock that is set back', async () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 21));
    const limit = new VisitorLimit(clock, { keyPrefix: 'test', points: 1, windowSeconds: 60 }, null);
    const take = () =>
      limit.take('192.0.2.1').then(
        () => 'admitted',
        () => 'refused',
      );
    expect([await take(), await take()]).to.deep.equal(['admitted', 'refused']);
    clock.advance(-86_400_000);
    expect([await take(), await take()]).to.deep.equal(['admitted', 'refused']);
  });
});

describe('Visitors by the counts of several processes', () => {
  let asked = 0;
  let shared: ReturnType<CreateLimiter>;
  // Counts as Redis gives them: one for all who share.
  const share: CreateLimiter = (policy) => {
    shared ??= createLocalLimiter(policy);
    return { take: (key) => (asked++, shared.take(key)) };
  };
  let clock: ManualClock;
  let processes: VisitorLimit[];
  beforeEach(() => {
    asked = 0;
    shared = undefined as unknown as typeof shared;
    clock = new ManualClock(Date.UTC(2026, 10, 21));
    processes = [1, 2, 3].map(() => new VisitorLimit(clock, POLICY, share));
  });

  /** How many of so many calls are let in, sent to the processes in turn. */
  async function admitted(calls: number, address = '192.0.2.1'): Promise<number> {
    let count = 0;
    for (let call = 0; call < calls; call++) {
      const refusal = await processes[call % 3]!.take(address).catch((error: unknown) => error);
      if (refusal === undefined) count++;
      else expect(refusal).to.include({ code: 'rate_limited' });
    }
    return count;
  }

  it('may ask for hardly more of all of them than of one', async () => {
    expect(await admitted(300)).to.equal(POLICY.points + 2 * (POLICY.points / 10));
    expect(await admitted(30, '192.0.2.2'), 'of another address').to.equal(30);
  });

  it('wait for no other process while they ask for little, and cost the others nothing once they are refused', async () => {
    expect(await admitted(9)).to.equal(9);
    expect(asked).to.equal(0);
    await admitted(300);
    expect(asked).to.be.at.most(30);
    clock.advance(60_000);
    const before = asked;
    expect(await admitted(9), 'in the next window').to.equal(9);
    expect(asked).to.equal(before);
  });

  it('go on by what one process counts where the limit is too small to be shared', async () => {
    processes = [1, 2, 3].map(() => new VisitorLimit(clock, { ...POLICY, points: 1 }, share));
    expect(await admitted(9)).to.equal(3);
    expect(asked).to.equal(0);
  });
});
