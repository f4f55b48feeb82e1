import { expect } from 'chai';
import { OWNERSHIP_SHARDS } from '@watchpost/shared/ownership-shard';
import { status } from '@grpc/grpc-js';
import { drainAgent, resumeAgent, revokeAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import type { AgentClient } from './agent-client.js';
import { FleetService } from './fleet-service.js';

const CHECKS = 600;

describe('the agents of a region', function () {
  let service: FleetService;
  afterEach(() => service.stop());

  async function twoAgents(): Promise<[AgentClient & { agentId: string }, AgentClient & { agentId: string }]> {
    await service.checks.add(CHECKS);
    const first = await service.agent('vm-1');
    const second = await service.agent('vm-2');
    first.connect();
    await first.has(CHECKS);
    second.connect();
    await shared(first, second);
    return [first, second];
  }

  it('share its checks evenly, and each check is assigned to exactly one of them', async () => {
    service = await FleetService.start();
    const [first, second] = await twoAgents();
    expect(first.checks.size).to.be.within(CHECKS * 0.4, CHECKS * 0.6);
    expect([...first.checks.keys()].filter((key) => second.checks.has(key))).to.deep.equal([]);
    expect(first.epoch).to.equal(second.epoch);
  });

  it('keep a check until its new owner has acknowledged it', async () => {
    service = await FleetService.start();
    await service.checks.add(CHECKS);
    const first = (await service.agent('vm-1')).connect();
    await first.has(CHECKS);
    const second = await service.agent('vm-2');
    second.acknowledges = false;
    second.connect();
    await eventually(
      'the share of the second',
      () => (second.checks.size > CHECKS * 0.4 ? true : undefined),
      PATIENCE_MS,
      5,
    );
    expect(first.checks.size).to.equal(CHECKS);
    for (let sent = second.of('delta').length + second.of('snapshot').length; sent > 0; sent--) {
      second.send({ $case: 'revisionAck', value: { revision: second.revision } });
    }
    await shared(first, second);
  });

  it('take over the checks of an agent that breaks off', async () => {
    service = await FleetService.start({
      times: { departureMs: 500, membershipPollMs: 60_000, startupGraceMs: 60_000 },
    });
    const [first, second] = await twoAgents();
    const broke = Date.now();
    first.disconnect();
    await second.has(CHECKS);
    expect(Date.now() - broke).to.be.within(450, 30_000);
  });

  it('keep their checks over a short interruption', async () => {
    service = await FleetService.start({ times: { departureMs: 60_000 } });
    const [first, second] = await twoAgents();
    const { epoch } = second;
    first.disconnect();
    const again = service.client(first.token);
    for (const [key, check] of first.checks) again.checks.set(key, check);
    again.connect({ lastRevision: first.revision, assignmentEpoch: first.epoch });
    await eventually('the delta', () => again.of('delta')[0], PATIENCE_MS, 5);
    expect(again.of('snapshot')).to.have.length(0);
    expect(again.checks.size).to.equal(first.checks.size);
    expect(second.epoch).to.equal(epoch);
  });

  it('return without a read of any monitor, and release later what they kept; a member that joins moves its share alone', async () => {
    service = await FleetService.start({ times: { departureMs: 60_000 } });
    const [first, second] = await twoAgents();
    first.disconnect();
    const read = service.checks.shardsRead;
    const again = service.client(first.token);
    for (const [key, check] of first.checks) again.checks.set(key, check);
    again.connect({ lastRevision: first.revision, assignmentEpoch: first.epoch });
    await eventually('the delta', () => again.of('delta')[0], PATIENCE_MS, 5);
    expect(service.checks.shardsRead).to.equal(read);
    const [paused] = again.checks.keys();
    await service.checks.change(paused!, { regions: [] });
    await eventually('the removal', () => !again.checks.has(paused!) || undefined, PATIENCE_MS, 5);
    const third = (await service.agent('vm-3')).connect();
    const all = () => [again, second, third].flatMap(({ checks }) => [...checks.keys()]);
    await eventually(
      'each check at one agent',
      () => (third.checks.size > 0 && all().length === CHECKS - 1 && new Set(all()).size === CHECKS - 1) || undefined,
      PATIENCE_MS,
      5,
    );
    expect(service.checks.shardsRead - read).to.be.within(1, (OWNERSHIP_SHARDS / 3) * 1.1);
  });

  it('keep their checks over a restart of the control plane, an absent one until the grace period ends', async () => {
    service = await FleetService.start();
    const [first, second] = await twoAgents();
    await service.halt();
    const comesBack = async (startupGraceMs: number): Promise<AgentClient> => {
      service = await FleetService.start({ after: service, times: { startupGraceMs } });
      const again = service.client(second.token);
      for (const [key, check] of second.checks) again.checks.set(key, check);
      return again.connect({ lastRevision: second.revision, assignmentEpoch: second.epoch });
    };
    const awaiting = await comesBack(60_000);
    await eventually('the delta', () => awaiting.of('delta')[0], PATIENCE_MS, 5);
    expect(awaiting.checks.size).to.equal(second.checks.size);
    expect(awaiting.epoch).to.equal(first.epoch);
    await service.halt();
    const alone = await comesBack(300);
    await alone.has(CHECKS);
  });

  it('keep their assignment when the only one leaves', async () => {
    service = await FleetService.start({ times: { departureMs: 50 } });
    await service.checks.add(5);
    const agent = (await service.agent('vm-1')).connect();
    await agent.has(5);
    agent.disconnect();
    await eventually(
      'the departure',
      async () => ((await connected(service)) === 0 ? true : undefined),
      PATIENCE_MS,
      10,
    );
    await new Promise((resolve) => setTimeout(resolve, 150));
    const again = service.client(agent.token);
    again.connect({ lastRevision: agent.revision, assignmentEpoch: agent.epoch });
    await eventually('the delta', () => again.of('delta')[0], PATIENCE_MS, 5);
    expect(again.of('snapshot')).to.have.length(0);
  });

  it('take the checks of a draining agent once another one is connected, until it is resumed', async () => {
    service = await FleetService.start();
    const [first, second] = await twoAgents();
    await drainAgent({ db: service.test.database, clock: service.deps.clock }, { idOrName: 'vm-1', region: null });
    await second.has(CHECKS);
    await first.has(0);
    expect(first.status).to.equal(undefined);
    await resumeAgent(service.deps, { idOrName: 'vm-1', region: null });
    await eventually('its share comes back', () => (first.checks.size > 0 ? true : undefined), PATIENCE_MS, 10);
  });

  it('take the checks of a revoked agent at once, and its streams end permanently', async () => {
    service = await FleetService.start({
      times: { statusPollMs: 60_000, departureMs: 60_000, membershipPollMs: 60_000 },
    });
    const [first, second] = await twoAgents();
    const results = first.results();
    results.send(1, 1);
    await results.acknowledged(1);
    await revokeAgent(service.deps, { idOrName: first.agentId, region: null });
    expect((await first.ended()).code).to.equal(status.PERMISSION_DENIED);
    expect((await results.ended()).code).to.equal(status.PERMISSION_DENIED);
    await second.has(CHECKS);
    const again = service.client(first.token).connect();
    expect((await again.ended()).code).to.equal(status.PERMISSION_DENIED);
  });

  it('notice a revocation by a command in another process', async () => {
    service = await FleetService.start();
    const [first, second] = await twoAgents();
    await revokeAgent(
      { db: service.test.database, clock: service.deps.clock },
      { idOrName: 'vm-1', region: 'northeurope' },
    );
    expect((await first.ended()).code).to.equal(status.PERMISSION_DENIED);
    await second.has(CHECKS);
  });

  function shared(first: AgentClient, second: AgentClient): Promise<true> {
    const settled = () =>
      first.checks.size + second.checks.size === CHECKS && second.checks.size > 0 && first.epoch === second.epoch;
    return eventually('a shared region', () => (settled() ? true : undefined), PATIENCE_MS, 5);
  }
});

async function connected(service: FleetService): Promise<number> {
  return service.fleet.connectedAgents().northeurope;
}
