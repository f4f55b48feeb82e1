import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '@watchpost/shared/clock';
import { type Coordination, redisCoordination } from '@watchpost/control-plane/platform/coordination/coordination';
import { RedisConnection } from '@watchpost/control-plane/platform/coordination/redis-connection';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { needRedis, startTestRedis, type TestRedis } from '../../support/redis.js';

describe('processes that share a Redis', function () {
  let redis: TestRedis;
  let here: Coordination;
  let there: Coordination;
  const registry = new Registry();
  const secretBox = createSecretBox(randomBytes(32));
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
      secretBox,
    });

  async function restored(): Promise<void> {
    await eventually('both hear again', () => (here.bus.deaf || there.bus.deaf ? undefined : true), PATIENCE_MS, 20);
  }

  /** Whether a message of one is heard by the other. */
  async function heard(withinMs = 30_000): Promise<boolean> {
    let count = 0;
    const unsubscribe = there.bus.subscribe('monitor-changed', ({ monitorKey }) => (count += monitorKey));
    here.bus.publish('monitor-changed', { monitorKey: 7 });
    const answer = await eventually('the message', () => (count > 0 ? true : undefined), withinMs, 5).catch(
      () => false,
    );
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

  it('end without a warning', async () => {
    const ended = new Registry();
    const process = await join(ended);
    const shown = async () => (await ended.getSingleMetricAsString('watchpost_redis_up')).endsWith(' 1');
    await eventually('it hears itself', async () => ((await shown()) ? true : undefined), PATIENCE_MS, 20);
    const before = log.length;
    process.close();
    await eventually('its connections are closed', async () => ((await shown()) ? undefined : true), PATIENCE_MS, 20);
    // Messages between the two others come after the events of the connections that have ended.
    expect(await heard()).to.equal(true);
    expect(log.slice(before)).to.deep.equal([]);
  });

  it('end without a warning also where a message of their own is on its way', async () => {
    const warnings: string[] = [];
    const logger = pino({}, { write: (line: string) => void warnings.push(line) });
    for (let turn = 0; turn < 20; turn++) {
      const options = { url: redis.url, processId: 'p', namespace: `turn${turn}`, logger, registry: new Registry() };
      const connection = new RedisConnection(options);
      await connection.started(60_000);
      for (let count = 0; count < 100; count++) void connection.publish(connection.channel('beat:p'), {});
      const ended = once(connection.commands, 'end');
      setImmediate(() => connection.close());
      await ended;
    }
    expect(await heard()).to.equal(true);
    expect(warnings).to.deep.equal([]);
  });

  it('hear nothing of other installations on the same Redis', async () => {
    const stranger = await join(new Registry(), 'two');
    let count = 0;
    stranger.bus.subscribe('monitor-changed', () => count++);
    expect(await heard()).to.equal(true);
    expect(count).to.equal(0);
    stranger.close();
  });

  it('ask each other, and get an answer at once where no process is there', async () => {
    there.calls!.serve('double', (question) => Promise.resolve((question as number) * 2));
    there.calls!.serve('sleep', () => new Promise(() => undefined));
    const ask = (processId: string, name: string, question: unknown, withinMs = 20_000) =>
      here.calls!.call(processId, name, question, withinMs);
    expect(await ask(there.processId, 'double', 21)).to.deep.equal({ kind: 'answer', value: 42 });
    expect(await ask('nobody', 'double', 21)).to.deep.equal({ kind: 'unreachable' });
    expect(await ask(there.processId, 'sleep', null, 300)).to.deep.equal({ kind: 'late' });
    expect(await ask(there.processId, 'double', 'x'.repeat(2_000_000))).to.deep.equal({ kind: 'unreachable' });
  });

  it('pass over what somebody else writes to their channels, and go on hearing each other', async () => {
    const stranger = new Redis(redis.url);
    const channels = (await stranger.pubsub('CHANNELS', 'watchpost:one:*')) as string[];
    expect(channels.length).to.be.greaterThan(5);
    const garbage = [
      '',
      '{',
      'null',
      '7',
      '"text"',
      '[]',
      '{}',
      '{"from":7,"message":{}}',
      '{"from":"x"}',
      '{"from":"x","message":null}',
      '{"from":"x","message":{"monitorKey":"x","agentId":7,"region":null}}',
      '{"__proto__":{"from":"x"}}',
      '{"sealed":"AAAA"}',
      '{"kind":"call"}',
      '{"kind":"call","id":"x","from":"y","name":"double","question":1,"untilMs":9e15}',
      '{"kind":"answer","id":null}',
      JSON.stringify('x'.repeat(3_000_000)),
    ];
    log.length = 0;
    for (const channel of channels) for (const text of garbage) await stranger.publish(channel, text);
    expect(await heard()).to.equal(true);
    there.calls!.serve('double', (question) => Promise.resolve((question as number) * 2));
    const answer = await here.calls!.call(there.processId, 'double', 4, 20_000);
    expect(answer).to.deep.equal({ kind: 'answer', value: 8 });
    // Logged once a minute and process at most, whatever comes.
    expect(log.filter(({ msg }) => msg.includes('passed over'))).to.have.length(2);
    stranger.disconnect();
  });

  it('show nobody on that Redis what they ask each other, and answer no question again', async () => {
    let asked = 0;
    there.calls!.serve('check', () => Promise.resolve({ count: ++asked }));
    const listener = new Redis(redis.url);
    const seen: { channel: string; text: string }[] = [];
    listener.on('pmessage', (_pattern, channel, text) => {
      if (!channel.includes(':beat:')) seen.push({ channel, text });
    });
    await listener.psubscribe('watchpost:one:process:*');
    const question = { headers: { authorization: 'Bearer s3cr3t' } };
    expect(await here.calls!.call(there.processId, 'check', question, 20_000)).to.deep.equal({
      kind: 'answer',
      value: { count: 1 },
    });
    await eventually('both messages', () => (seen.length >= 2 ? true : undefined), PATIENCE_MS, 5);
    expect(JSON.stringify(seen)).to.not.match(/s3cr3t|authorization|count/);
    const again = new Redis(redis.url);
    for (const { channel, text } of seen.slice(0, 2)) {
      await again.publish(channel, text);
      // What is sealed for one channel opens on no other.
      await again.publish(`watchpost:one:process:${here.processId}`, text);
    }
    expect(await here.calls!.call(there.processId, 'check', null, 20_000)).to.deep.equal({
      kind: 'answer',
      value: { count: 2 },
    });
    listener.disconnect();
    again.disconnect();
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
    await eventually('the loss', () => (here.bus.deaf && there.bus.deaf ? true : undefined), PATIENCE_MS, 10);
    expect((await one.take('ada')).remaining).to.equal(2);
    expect((await other.take('ada')).remaining).to.equal(2);
    await redis.start();
    await restored();
    expect((await one.take('carol')).remaining).to.equal(2);
    expect((await other.take('carol')).remaining).to.equal(1);
  });

  for (const way of ['is killed', 'is silent'] as const) {
    it(`notice and log it once, and connect again by themselves where Redis ${way}`, async () => {
      log.length = 0;
      let changes = 0;
      const unsubscribe = here.bus.onHearing(() => changes++);
      if (way === 'is killed') await redis.kill();
      else redis.freeze();
      await eventually('the loss', () => (here.bus.deaf ? true : undefined), PATIENCE_MS, 10);
      expect(await registry.metrics()).to.match(/^watchpost_redis_up 0$/m);
      expect(here.redisHealthy!()).to.equal(false);
      expect(here.calls!.reachable).to.equal(false);
      expect(await heard(500)).to.equal(false);
      await eventually('the other notices too', () => (there.bus.deaf ? true : undefined), PATIENCE_MS, 10);
      if (way === 'is killed') await redis.start();
      else redis.thaw();
      await restored();
      expect(await heard()).to.equal(true);
      expect(await registry.metrics()).to.match(/^watchpost_redis_up 1$/m);
      expect(changes).to.equal(2);
      unsubscribe();
      // One line each for the loss and for the return, of each of the two.
      const countOf = (text: string) => log.filter(({ msg }) => msg.startsWith(text)).length;
      expect(countOf('Redis is lost')).to.equal(2);
      expect(countOf('Redis is back')).to.equal(2);
    });
  }

  it('start without it, and log that', async () => {
    await redis.kill();
    const late = await join(new Registry());
    expect(late.bus.deaf).to.equal(true);
    await redis.start();
    await eventually('it hears', () => (late.bus.deaf ? undefined : true), PATIENCE_MS, 20);
    late.close();
    await restored();
  });
});
