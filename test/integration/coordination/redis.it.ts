import { expect } from 'chai';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '@watchpost/shared/clock';
import { type Coordination, redisCoordination } from '@watchpost/control-plane/coordination/coordination';
import { eventually } from '../../support/eventually.js';
import { needRedis, startTestRedis, type TestRedis } from '../../support/redis.js';

describe('processes that share a Redis', function () {
  this.timeout(30_000);
  let redis: TestRedis;
  let here: Coordination;
  let there: Coordination;
  const registry = new Registry();
  const log: { level: number; msg: string }[] = [];

  before(async function () {
    needRedis(this);
    redis = await startTestRedis();
    here = await join(registry);
    there = await join(new Registry());
  });
  after(async () => {
    here?.close();
    there?.close();
    await redis?.stop();
  });

  const join = (metrics: Registry, installationId = 'one') =>
    redisCoordination({
      url: redis.url,
      installationId,
      clock: systemClock,
      logger: pino({}, { write: (line: string) => void log.push(JSON.parse(line) as (typeof log)[number]) }),
      registry: metrics,
    });

  async function restored(): Promise<void> {
    await eventually('both hear again', () => (here.bus.deaf || there.bus.deaf ? undefined : true), 10_000, 20);
  }

  /** How long it takes until a message of one is heard by the other; undefined where it never is. */
  async function heard(): Promise<boolean> {
    let count = 0;
    const unsubscribe = there.bus.subscribe('monitor-changed', ({ monitorKey }) => (count += monitorKey));
    here.bus.publish('monitor-changed', { monitorKey: 7 });
    const answer = await eventually('the message', () => (count > 0 ? true : undefined), 1_000, 5).catch(() => false);
    unsubscribe();
    return answer;
  }

  it('hear each other, and themselves once', async () => {
    let own = 0;
    const unsubscribe = here.bus.subscribe('monitor-changed', () => own++);
    expect(await heard()).to.equal(true);
    unsubscribe();
    expect(own).to.equal(1);
  });

  it('hear nothing of other installations on the same Redis', async () => {
    const stranger = await join(new Registry(), 'two');
    let count = 0;
    stranger.bus.subscribe('monitor-changed', () => count++);
    expect(await heard()).to.equal(true);
    expect(count).to.equal(0);
    stranger.close();
  });

  it('ask each other, and are told at once where nobody is there', async () => {
    there.calls!.serve('double', (question) => Promise.resolve((question as number) * 2));
    there.calls!.serve('sleep', () => new Promise(() => undefined));
    const ask = (processId: string, name: string, question: unknown) =>
      here.calls!.call(processId, name, question, 300);
    expect(await ask(there.processId, 'double', 21)).to.deep.equal({ kind: 'answer', value: 42 });
    expect(await ask('nobody', 'double', 21)).to.deep.equal({ kind: 'unreachable' });
    expect(await ask(there.processId, 'sleep', null)).to.deep.equal({ kind: 'late' });
    expect(await ask(there.processId, 'double', 'x'.repeat(2_000_000))).to.deep.equal({ kind: 'unreachable' });
  });

  it('count callers together, and each for itself while Redis is away', async () => {
    const policy = { keyPrefix: 'test', points: 3, windowSeconds: 60 };
    const [one, other] = [here.createLimiter(policy), there.createLimiter(policy)];
    expect((await one.take('ada')).remaining).to.equal(2);
    expect((await other.take('ada')).remaining).to.equal(1);
    expect((await one.take('ada')).remaining).to.equal(0);
    expect(await other.take('ada')).to.include({ allowed: false, limit: 3, remaining: 0, windowSeconds: 60 });
    expect((await other.take('bob')).allowed).to.equal(true);

    await redis.kill();
    await eventually('the loss', () => (here.bus.deaf && there.bus.deaf ? true : undefined), 5_000, 10);
    expect((await one.take('ada')).remaining).to.equal(2);
    expect((await other.take('ada')).remaining).to.equal(2);
    await redis.start();
    await restored();
    expect((await one.take('carol')).remaining).to.equal(2);
    expect((await other.take('carol')).remaining).to.equal(1);
  });

  for (const way of ['is killed', 'is silent'] as const) {
    it(`know it, say it once, and take up again by themselves where Redis ${way}`, async () => {
      log.length = 0;
      let changes = 0;
      const unsubscribe = here.bus.onHearing(() => changes++);
      if (way === 'is killed') await redis.kill();
      else redis.freeze();
      await eventually('the loss', () => (here.bus.deaf ? true : undefined), 6_000, 10);
      expect(await registry.metrics()).to.match(/^watchpost_redis_up 0$/m);
      expect(here.redisHealthy!()).to.equal(false);
      expect(here.calls!.reachable).to.equal(false);
      expect(await heard()).to.equal(false);
      await eventually('the other notices too', () => (there.bus.deaf ? true : undefined), 6_000, 10);
      if (way === 'is killed') await redis.start();
      else redis.thaw();
      await restored();
      expect(await heard()).to.equal(true);
      expect(await registry.metrics()).to.match(/^watchpost_redis_up 1$/m);
      expect(changes).to.equal(2);
      unsubscribe();
      // One line each for the loss and for the return, of each of the two.
      const told = (text: string) => log.filter(({ msg }) => msg.startsWith(text)).length;
      expect(told('Redis is lost')).to.equal(2);
      expect(told('Redis is back')).to.equal(2);
    });
  }

  it('start without it, and say so', async () => {
    await redis.kill();
    const late = await join(new Registry());
    expect(late.bus.deaf).to.equal(true);
    await redis.start();
    await eventually('it hears', () => (late.bus.deaf ? undefined : true), 10_000, 20);
    late.close();
    await restored();
  });
});
