import type { Handover } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { expect } from 'chai';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import type { AgentClient } from './agent-client.js';
import { FleetService } from './fleet-service.js';

const CHECKS = 60;
const NEWEST = 1_763_000_000_000;

describe('the handovers to an agent that joins when another one is gone', () => {
  let service: FleetService;

  beforeEach(async () => {
    service = await FleetService.start({
      newestScheduledTimes: (keys) =>
        keys.map((monitorKey) => ({ key: { monitorKey, kind: 'http' }, completedThroughMs: NEWEST })),
    });
    await service.checks.add(CHECKS);
  });
  afterEach(() => service.stop());

  /** The handovers in the snapshots of an agent, by monitor: the newest completed scheduled time, ms. */
  function handoversIn(agent: AgentClient, from = 0): Map<number, number> {
    const chunks = agent.updates
      .slice(from)
      .flatMap(({ message }) => (message?.$case === 'snapshot' ? [message.value] : []));
    expect(chunks.every(({ handoversKnown }) => handoversKnown)).to.equal(true);
    return byMonitor(chunks.flatMap(({ handovers }) => handovers));
  }
  const byMonitor = (handovers: readonly Handover[]) =>
    new Map(handovers.map(({ key, completedThroughMs }) => [Number(key!.monitorKey), Number(completedThroughMs)]));
  const keysOf = (agent: AgentClient) => [...agent.checks.keys()].toSorted((a, b) => a - b);

  async function two() {
    const first = (await service.agent('vm-1')).connect();
    await first.has(CHECKS);
    const second = (await service.agent('vm-2')).connect();
    await shared(first, second);
    await service.settled();
    return [first, second] as const;
  }
  const shared = (...agents: AgentClient[]) =>
    eventually(
      'each has its share',
      () =>
        (agents.every(({ checks }) => checks.size > 0) &&
          agents.reduce((sum, { checks }) => sum + checks.size, 0) === CHECKS) ||
        undefined,
      PATIENCE_MS,
      5,
    );

  it('contain the unfinished checks of the gone agent, also in the first update', async () => {
    const [first, second] = await two();
    const left = new Set(keysOf(first));
    const third = await service.agent('vm-3');
    first.disconnect();
    third.connect();
    await shared(second, third);
    await eventually(
      'every check of the gone agent is handed over',
      () => {
        const completedMs = handoversIn(third);
        const deltas = [second, third].flatMap(({ updates }) =>
          updates.flatMap(({ message }) => (message?.$case === 'delta' ? message.value.handovers : [])),
        );
        // On a slow machine a check may move twice. Its second handover contains only the time since the first.
        for (const { key, completedThroughMs } of deltas) {
          const monitorKey = Number(key!.monitorKey);
          completedMs.set(monitorKey, Math.min(Number(completedThroughMs), completedMs.get(monitorKey) ?? Infinity));
        }
        return [...left].every((key) => completedMs.get(key) === NEWEST) || undefined;
      },
      PATIENCE_MS,
      20,
    );
  });

  it('do not contain checks that others ran while it was away', async () => {
    const [first, second] = await two();
    const mine = keysOf(first);
    first.disconnect();
    await second.has(CHECKS);
    const back = service.client(first.token);
    back.revision = first.revision;
    back.epoch = first.epoch;
    const backAtMs = Date.now();
    back.connect();
    await shared(back, second);
    expect(keysOf(back)).to.deep.equal(mine);
    const completedMs = handoversIn(back);
    expect([...completedMs.keys()].toSorted((a, b) => a - b)).to.deep.equal(mine);
    // The other agent ran the checks until the returning agent joined.
    for (const completedThroughMs of completedMs.values())
      expect(completedThroughMs).to.be.within(backAtMs - 2_000, Date.now());
  });
});
