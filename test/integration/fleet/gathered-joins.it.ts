import type { SnapshotChunk } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { OWNERSHIP_SHARDS } from '@watchpost/shared/ownership-shard';
import { expect } from 'chai';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import type { AgentClient } from './agent-client.js';
import { FleetService } from './fleet-service.js';

const CHECKS = 600;
const REGION = 'northeurope';
/** Far longer than a test: what happens before it was not waited for. */
const NEVER_MS = 600_000;

type Agent = AgentClient & { agentId: string };

describe('agents that join while the region is busy', () => {
  let service: FleetService;
  afterEach(() => service.stop());

  /** One agent with all checks, which has acknowledged none of them. */
  async function busyRegion(): Promise<Agent> {
    const first = await service.agent('vm-1');
    first.acknowledges = false;
    first.connect();
    await first.has(CHECKS);
    return first;
  }

  async function joinOneByOne(count: number): Promise<Agent[]> {
    const agents: Agent[] = [];
    for (let number = 2; number < count + 2; number++) {
      const agent = await service.agent(`vm-${number}`);
      agent.connect();
      await isConnected(agent);
      agents.push(agent);
    }
    return agents;
  }

  const isConnected = (agent: Agent) =>
    eventually(
      'its lease is stored',
      async () => {
        const rows = await service.test.sql('SELECT FROM fleet_lease WHERE agent_id = $1 AND connected', [
          agent.agentId,
        ]);
        return rows.length > 0 || undefined;
      },
      PATIENCE_MS,
      5,
    );

  async function epoch(): Promise<number> {
    return service.test.value<number>('SELECT epoch FROM fleet_region WHERE region = $1', [REGION]);
  }

  const acknowledge = (agent: Agent) => {
    agent.acknowledges = true;
    for (let sent = agent.of('delta').length + agent.of('snapshot').length; sent > 0; sent--)
      agent.send({ $case: 'revisionAck', value: { revision: agent.revision } });
  };
  const keysOf = (agents: readonly Agent[]) => agents.flatMap(({ checks }) => [...checks.keys()]);

  for (const count of [3, 12])
    it(`share one epoch: ${count} of them read their shares once each, by a bounded number of statements`, async () => {
      service = await FleetService.start({ times: { joinBusyMs: NEVER_MS } });
      await service.checks.add(CHECKS);
      const first = await busyRegion();
      const [began, read, reads] = [await epoch(), service.checks.shardsRead, service.checks.reads];
      const others = await joinOneByOne(count);
      expect(await epoch()).to.equal(began);
      expect(keysOf(others)).to.deep.equal([]);
      acknowledge(first);
      const all = [first, ...others];
      await eventually(
        'each check at exactly one agent',
        () => (others.every(({ checks }) => checks.size > 0) && keysOf(all).length === CHECKS) || undefined,
        PATIENCE_MS,
        5,
      );
      expect(new Set(keysOf(all)).size).to.equal(CHECKS);
      expect(await epoch()).to.equal(began + 1);
      expect(service.checks.shardsRead - read).to.be.at.most(OWNERSHIP_SHARDS);
      // The first statements of a walk find out how many monitors a shard has.
      expect(service.checks.reads - reads).to.be.at.most(count * 5);
    });

  for (const how of ['breaks off', 'leaves'])
    it(`join at once when a member ${how}, whose checks are not left to the wait`, async () => {
      service = await FleetService.start({ times: { joinBusyMs: NEVER_MS, departureMs: NEVER_MS / 2 } });
      await service.checks.add(CHECKS);
      const first = (await service.agent('vm-1')).connect();
      await first.has(CHECKS);
      await service.settled();
      const [second] = await joinOneByOne(1);
      await eventually('its share', () => second!.checks.size > 0 || undefined, PATIENCE_MS, 5);
      await service.settled();
      const third = await service.agent('vm-3');
      third.acknowledges = false;
      third.connect();
      await eventually('its share', () => third.checks.size > 0 || undefined, PATIENCE_MS, 5);
      const fourth = (await service.agent('vm-4')).connect();
      await isConnected(fourth);
      const began = await epoch();
      if (how === 'leaves') second!.send({ $case: 'leaving', value: {} });
      else second!.disconnect();
      await eventually('its time is running', async () => (await moveDeparture(second!)) || undefined, PATIENCE_MS, 5);
      service.bus.publish('region-changed', { region: REGION });
      await eventually(
        'every check at one of the others',
        () => (fourth.checks.size > 0 && new Set(keysOf([first, third, fourth])).size === CHECKS) || undefined,
        PATIENCE_MS,
        5,
      );
      expect(await epoch()).to.equal(began + 1);
    });

  /** Lets the time of a lost agent be over. @returns whether it was lost already */
  async function moveDeparture(agent: Agent): Promise<boolean> {
    const moved = await service.test.database.transaction((tx) =>
      tx.execute(`UPDATE fleet_lease SET left_at = left_at - interval '1 hour' WHERE agent_id = $1 AND NOT connected`, [
        agent.agentId,
      ]),
    );
    // An agent cannot have left before its process lived.
    await service.test.database.transaction((tx) =>
      tx.execute(`UPDATE fleet_process SET live_since = live_since - interval '1 day'`),
    );
    return moved > 0;
  }

  it('do not let the former owner keep its checks by joining again and again', async () => {
    service = await FleetService.start({
      times: { joinQuietMs: 1, joinMostMs: 1, joinBusyMs: 1, handoverMs: 1_000 },
    });
    await service.checks.add(CHECKS);
    const first = (await service.agent('vm-1')).connect();
    await first.has(CHECKS);
    await service.settled();
    let joined = 0;
    await eventually(
      'a release while agents join that acknowledge nothing',
      async () => {
        const agent = await service.agent(`vm-${++joined + 1}`);
        agent.acknowledges = false;
        agent.connect();
        await isConnected(agent);
        await new Promise((resolve) => setTimeout(resolve, 100));
        return first.checks.size < CHECKS || undefined;
      },
      PATIENCE_MS,
      5,
    );
    expect(first.checks.size).to.be.above(0);
  });

  it('let a former snapshot be given up where less is left of that of the newest epoch', async () => {
    const many = 4_000;
    service = await FleetService.start({ times: { joinQuietMs: 1, joinMostMs: 1, joinBusyMs: 1 } });
    await service.checks.add(many);
    let proceed!: () => void;
    const held = new Promise<void>((resolve) => (proceed = resolve));
    // By then a part of the snapshot is sent.
    service.checks.mayRead = () => (service.checks.reads > 3 ? held : Promise.resolve());
    const first = (await service.agent('vm-1')).connect();
    await eventually('a read that waits', () => service.checks.reads > 3 || undefined, PATIENCE_MS, 5);
    const others = await joinOneByOne(3);
    await eventually('a read that waits of each one', () => service.checks.reads === 7 || undefined, PATIENCE_MS, 5);
    proceed();
    const all = [first, ...others];
    await eventually('each check at exactly one agent', () => keysOf(all).length === many || undefined, PATIENCE_MS, 5);
    expect(new Set(keysOf(all)).size).to.equal(many);
    const parts = first.of('snapshot').map(({ value }) => value as SnapshotChunk);
    expect(parts.filter(({ index }) => index === 0)).to.have.length(2);
    expect(parts.filter(({ last }) => last)).to.have.length(1);
    expect(parts.flatMap(({ checks }) => checks).length).to.be.below(many);
  });
});
