import { httpCheck } from '@watchpost/shared/checks/http';
import { status } from '@grpc/grpc-js';
import type { CheckSpec } from '@watchpost/shared/check';
import { Fault } from '@watchpost/shared/fault';
import { drainAgent, revokeAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import { expect } from 'chai';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { needRedis, startTestRedis, type TestRedis } from '../../support/redis.js';
import { type AgentClient, wireResult } from './agent-client.js';
import { FleetService, type FleetServiceOptions } from './fleet-service.js';

const CHECKS = 600;
type Agent = AgentClient & { agentId: string };

describe('agents of several control-plane processes', function () {
  let redis: TestRedis;
  let here: FleetService;
  let there: FleetService;
  let crashed: Set<FleetService>;

  before(async function () {
    needRedis(this);
    redis = await startTestRedis();
  });
  after(() => redis?.stop());
  afterEach(async () => {
    if (!crashed.has(there)) await there.halt();
    if (crashed.has(here)) await here.test.drop();
    else await here.stop();
  });

  async function startTwo(times: FleetServiceOptions['times'] = {}): Promise<void> {
    crashed = new Set();
    const options = { redisUrl: redis.url, times };
    here = await FleetService.start(options);
    there = await FleetService.start({ ...options, beside: here });
    await here.checks.add(CHECKS);
  }

  /** Starts two processes with one agent each, of the same region. */
  async function oneEach(): Promise<[Agent, Agent]> {
    const first = await here.agent('vm-1');
    const second = await there.agent('vm-2');
    first.connect();
    await first.has(CHECKS);
    second.connect();
    await shared(first, second);
    return [first, second];
  }

  async function crash(service: FleetService): Promise<void> {
    crashed.add(service);
    await service.crash();
  }

  /** The agent's next stream at another process, with its present assignment. */
  function again(agent: Agent, service: FleetService): Agent {
    const client = Object.assign(service.client(agent.token), { agentId: agent.agentId });
    for (const [key, check] of agent.checks) client.checks.set(key, check);
    client.connect({ lastRevision: agent.revision, assignmentEpoch: agent.epoch });
    return client;
  }

  it('share a region, and each check is assigned to exactly one of them', async () => {
    await startTwo();
    const [first, second] = await oneEach();
    expect(first.checks.size).to.be.within(CHECKS * 0.4, CHECKS * 0.6);
    expect([...first.checks.keys()].filter((key) => second.checks.has(key))).to.deep.equal([]);
  });

  it('receive a change at once from every process', async () => {
    await startTwo({ changePollMs: 60_000 });
    const [first, second] = await oneEach();
    const started = Date.now();
    await here.checks.add(20);
    await sum(CHECKS + 20, first, second);
    expect(Date.now() - started, 'without polling').to.be.below(30_000);
    await there.checks.add(20);
    await sum(CHECKS + 40, first, second);
  });

  it('keep a check until its new owner at another process has acknowledged it', async () => {
    await startTwo();
    const first = (await here.agent('vm-1')).connect();
    await first.has(CHECKS);
    const second = await there.agent('vm-2');
    second.acknowledges = false;
    second.connect();
    await eventually(
      'the share of the second',
      () => (second.checks.size > CHECKS * 0.4 ? true : undefined),
      PATIENCE_MS,
      5,
    );
    await quiet(100);
    expect(first.checks.size).to.equal(CHECKS);
    for (let sent = second.of('delta').length + second.of('snapshot').length; sent > 0; sent--) {
      second.send({ $case: 'revisionAck', value: { revision: second.revision } });
    }
    await shared(first, second);
  });

  it('release a check after the handover time if its new owner never acknowledges it', async () => {
    await startTwo({ handoverMs: 400 });
    const first = (await here.agent('vm-1')).connect();
    await first.has(CHECKS);
    const second = await there.agent('vm-2');
    second.acknowledges = false;
    second.connect();
    await eventually(
      'the share of the second',
      () => (second.checks.size > CHECKS * 0.4 ? true : undefined),
      PATIENCE_MS,
      5,
    );
    await sum(CHECKS, first, second);
  });

  it('take over the checks of an agent that breaks off at another process before the next poll', async () => {
    await startTwo({ departureMs: 500, membershipPollMs: 60_000, startupGraceMs: 60_000 });
    const [first, second] = await oneEach();
    const broke = Date.now();
    first.disconnect();
    await second.has(CHECKS);
    expect(Date.now() - broke).to.be.within(450, 30_000);
  });

  it('keep their checks when their process is killed and they reconnect to another one', async () => {
    await startTwo({ leaseMs: 1_000, renewMs: 100, startupGraceMs: 60_000 });
    const [first, second] = await oneEach();
    const { epoch } = second;
    await crash(here);
    await first.ended();
    const next = again(first, there);
    await eventually('the delta', () => next.of('delta')[0], PATIENCE_MS, 5);
    expect(next.of('snapshot')).to.have.length(0);
    expect(next.checks.size).to.equal(first.checks.size);
    // Nothing moves well after the process counts as dead.
    await quiet(1_500);
    expect([next.epoch, second.epoch, second.checks.size + next.checks.size]).to.deep.equal([epoch, epoch, CHECKS]);
  });

  it('are awaited after the death of their process until the grace period ends', async () => {
    await startTwo({ leaseMs: 400, renewMs: 100, membershipPollMs: 200, startupGraceMs: 3_000 });
    const [, second] = await oneEach();
    const killed = Date.now();
    await crash(here);
    await second.has(CHECKS);
    // The time counts from its last sign of life, which was recent.
    expect(Date.now() - killed).to.be.within(1_500, 30_000);
  });

  it('keep their checks when their process stops regularly', async () => {
    await startTwo({ startupGraceMs: 60_000 });
    const [first, second] = await oneEach();
    const { epoch } = second;
    await here.fleet.stop();
    first.disconnect();
    const next = again(first, there);
    await eventually('the delta', () => next.of('delta')[0], PATIENCE_MS, 5);
    await quiet(400);
    expect([next.of('snapshot').length, next.epoch, second.epoch]).to.deep.equal([0, epoch, epoch]);
  });

  it('have one stream: a newer stream at another process ends the older one', async () => {
    await startTwo();
    const [first, second] = await oneEach();
    const next = again(first, there);
    expect((await first.ended()).details).to.match(/newer stream/);
    await shared(next, second);
    expect(second.epoch).to.equal(next.epoch);
  });

  it('are drained and revoked by a command at any process', async () => {
    await startTwo({ statusPollMs: 60_000, departureMs: 60_000 });
    const [first, second] = await oneEach();
    await drainAgent(there.deps, { idOrName: first.agentId, region: null });
    await second.has(CHECKS);
    await first.has(0);
    await revokeAgent(there.deps, { idOrName: first.agentId, region: null });
    expect((await first.ended()).code).to.equal(status.PERMISSION_DENIED);
    expect(second.checks.size).to.equal(CHECKS);
  });

  it('run checks on demand for every process, and refusals are returned as faults', async () => {
    await startTwo();
    const agent = await there.agent('vm-1');
    answering(agent.connect());
    await agent.has(CHECKS);
    const result = await here.fleet.runNow({ region: 'northeurope', check: SPEC, timeoutMs: 20_000, purpose: 'test' });
    expect(result).to.deep.include({ statusCode: 200, outcome: { kind: 'up' } });
    const refused = await faultOf(
      here.fleet.runNow({ region: 'japaneast', check: SPEC, timeoutMs: 20_000, purpose: 'test' }),
    );
    expect(refused).to.match(/No agent of japaneast .* is connected/);
  });

  it('receive all changes by polling while Redis is unavailable, and at once when it is back', async () => {
    await startTwo({ changePollMs: 60_000, membershipPollMs: 60_000, deafPollMs: 300 });
    const [first, second] = await oneEach();
    answering(first);
    await redis.kill();
    await eventually('the loss', () => (here.bus.deaf && there.bus.deaf ? true : undefined), PATIENCE_MS, 10);
    const started = Date.now();
    await there.checks.add(20);
    await sum(CHECKS + 20, first, second);
    expect(Date.now() - started, 'asked more often').to.be.below(30_000);

    // Only the process of an agent can run checks on it.
    expect(
      (await here.fleet.runNow({ region: 'northeurope', check: SPEC, timeoutMs: 20_000, purpose: 'test' })).statusCode,
    ).to.equal(200);
    expect(
      await faultOf(there.fleet.runNow({ region: 'japaneast', check: SPEC, timeoutMs: 20_000, purpose: 'test' })),
    ).to.match(/Redis is not reachable/);

    const third = (await there.agent('vm-3')).connect();
    await sum(CHECKS + 20, first, second, third);
    first.disconnect();
    await sum(CHECKS + 20, second, third);

    await redis.start();
    await eventually('the return', () => (here.bus.deaf || there.bus.deaf ? undefined : true), PATIENCE_MS, 10);
    const back = Date.now();
    const fourth = (await here.agent('vm-4')).connect();
    await sum(CHECKS + 20, second, third, fourth);
    expect(Date.now() - back, 'without polling').to.be.below(30_000);
  });

  it('have the newest settings of every check while agents come and go', async () => {
    await startTwo({ departureMs: 200, handoverMs: 2_000 });
    const agents = await Promise.all(['a', 'b', 'c', 'd'].map((name, index) => [here, there][index % 2]!.agent(name)));
    for (const agent of agents) agent.connect();
    const changing = new AbortController();
    const intervals = new Map<number, number>();
    const change = (async () => {
      for (let round = 0; !changing.signal.aborted; round++) {
        const key = (round % CHECKS) + 1;
        const service = [here, there][round % 2]!;
        if (round % 10 === 9) await service.checks.change(key, { regions: [] });
        else await service.checks.change(key, { regions: ['northeurope'], intervalMs: 60_000 + round });
        intervals.set(key, round % 10 === 9 ? 0 : 60_000 + round);
        if (round % 3 === 0) await quiet(1);
      }
    })();
    for (let round = 0; round < 12; round++) {
      const index = round % agents.length;
      agents[index]!.disconnect();
      if (round % 3 === 0) await quiet(300);
      agents[index] = again(agents[index]!, [there, here][round % 2]!);
      await quiet(150);
    }
    changing.abort();
    await change;
    const removed = [...intervals.values()].filter((intervalMs) => intervalMs === 0).length;
    await sum(CHECKS - removed, ...agents);
    const wrong = () =>
      agents.flatMap(({ checks }) =>
        [...checks].filter(([key, { intervalMs }]) => intervalMs !== (intervals.get(key) ?? 60_000)),
      );
    await eventually('every check as it is', () => (wrong().length === 0 ? true : undefined), PATIENCE_MS, 50).catch(
      () => expect(wrong().map((entry) => [...entry, intervals.get(entry[0])])).to.deep.equal([]),
    );
  });

  it('assign every check to one agent again soon after many agents come, go and move at once', async () => {
    // The polls, which cover lost messages, come too late to help here.
    await startTwo({ departureMs: 300, handoverMs: 2_000, startupGraceMs: 60_000, membershipPollMs: 60_000 });
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const agents = await Promise.all(names.map((name, index) => [here, there][index % 2]!.agent(name)));
    for (const agent of agents) agent.connect();
    await sum(CHECKS, ...agents);
    const coverage = new Coverage(() => agents);
    for (let round = 0; round < 12; round++) {
      const index = round % agents.length;
      const agent = agents[index]!;
      agent.disconnect();
      // Every other agent is away until its checks have moved. The others reconnect to another process at once.
      if (round % 2 === 0) await quiet(700);
      agents[index] = again(agent, [there, here][round % 2]!);
      await quiet(60);
    }
    await sum(CHECKS, ...agents);
    await eventually(
      'one epoch for all',
      () => (new Set(agents.map(({ epoch }) => epoch)).size === 1 ? true : undefined),
      PATIENCE_MS,
      10,
    );
    expect(coverage.stop()).to.be.below(30_000);
  });
});

const SPEC: CheckSpec = {
  key: { monitorKey: 0, kind: 'http' },
  intervalMs: 60_000,
  timeoutMs: 1_000,
  phaseMs: 0,
  changedAtMs: 0,
  target: httpCheck.target.parse({ url: 'http://site.example/' }),
};

/** Measures for how long a check was assigned to no connected agent. */
class Coverage {
  private readonly lastSeen = new Map<number, number>();
  private readonly timer: NodeJS.Timeout;
  private longestMs = 0;

  constructor(private readonly agents: () => readonly Agent[]) {
    this.timer = setInterval(() => this.look(), 10);
  }

  /** @returns the longest time in ms */
  stop(): number {
    clearInterval(this.timer);
    this.look();
    return this.longestMs;
  }

  private look(): void {
    const now = Date.now();
    const seen = new Set(
      this.agents().flatMap(({ status: end, checks }) => (end === undefined ? [...checks.keys()] : [])),
    );
    for (const key of seen) this.lastSeen.set(key, now);
    for (const last of this.lastSeen.values()) this.longestMs = Math.max(this.longestMs, now - last);
  }
}

function answering(agent: AgentClient): void {
  const seen = new Set<string>();
  agent.onUpdate = ({ message }) => {
    if (message?.$case !== 'runNow' || seen.has(message.value.requestId)) return;
    seen.add(message.value.requestId);
    const { requestId } = message.value;
    agent.send({ $case: 'runResult', value: { requestId, result: wireResult(0), refusal: '' } });
  };
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? `${error.code} ${error.message}` : String(error)),
  );
}

function shared(first: AgentClient, second: AgentClient): Promise<true> {
  const settled = () =>
    first.checks.size + second.checks.size === CHECKS && second.checks.size > 0 && first.epoch === second.epoch;
  return eventually('a shared region', () => (settled() ? true : undefined), PATIENCE_MS, 5);
}

/** Waits until the agents together have so many checks, each of them once. */
async function sum(count: number, ...agents: AgentClient[]): Promise<void> {
  const settled = () => {
    const keys = agents.flatMap(({ checks }) => [...checks.keys()]);
    return keys.length === count && new Set(keys).size === count;
  };
  await eventually(`${count} checks, each with one agent`, () => (settled() ? true : undefined), PATIENCE_MS, 5).catch(
    (error: Error) => {
      throw new Error(`${error.message}: ${agents.map(({ checks, epoch }) => `${checks.size}@${epoch}`).join(' ')}`);
    },
  );
}

/** A time during which nothing may happen. */
function quiet(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
