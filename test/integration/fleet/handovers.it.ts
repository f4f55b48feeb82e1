import { drainAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import { expect } from 'chai';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { startedForEach } from '../../support/suite.js';
import { FleetService } from './fleet-service.js';
import type { AgentClient } from './agent-client.js';

const CHECKS = 60;
const NEWEST = 1_763_000_000_000;

describe('the handovers of an agent that is gone', () => {
  const service = startedForEach(() =>
    FleetService.start({
      // Every other monitor has a result.
      newestScheduledTimes: (keys) =>
        keys
          .filter((key) => key % 2 === 0)
          .map((monitorKey) => ({ key: { monitorKey, kind: 'http' }, completedThroughMs: NEWEST + monitorKey })),
    }),
  );

  beforeEach(() => service.checks.add(CHECKS));

  const handoversOf = (agent: AgentClient): [bigint, bigint][] =>
    agent.updates.flatMap(({ message }) =>
      message?.$case === 'delta'
        ? message.value.handovers.map(({ key, completedThroughMs }): [bigint, bigint] => [
            key!.monitorKey,
            completedThroughMs,
          ])
        : [],
    );

  async function two() {
    const first = (await service.agent('vm-1')).connect();
    await first.has(CHECKS);
    const second = (await service.agent('vm-2')).connect();
    await eventually(
      'each has its share',
      () => (second.checks.size > 0 && first.checks.size + second.checks.size === CHECKS ? true : undefined),
      PATIENCE_MS,
      5,
    );
    await service.settled();
    return [first, second] as const;
  }

  it('are sent to the new owner with the newest scheduled time that has a result', async () => {
    const [first, second] = await two();
    expect([...handoversOf(first), ...handoversOf(second)], 'no handovers while both are connected').to.deep.equal([]);
    const left = [...first.checks.keys()].toSorted((a, b) => a - b);
    first.disconnect();
    await second.has(CHECKS);
    const handovers = new Map(handoversOf(second));
    expect([...handovers.keys()].map(Number).toSorted((a, b) => a - b)).to.deep.equal(left);
    for (const [key, done] of handovers)
      expect(Number(done)).to.equal(Number(key) % 2 === 0 ? NEWEST + Number(key) : 0);
  });

  it('are not sent for a draining agent, which runs its checks until they are taken over', async () => {
    const [first, second] = await two();
    const left = first.checks.size;
    await drainAgent(service.deps, { idOrName: first.agentId, region: null });
    await second.has(CHECKS);
    await first.has(0);
    expect(handoversOf(second)).to.have.length(left);
  });

  it('are sent for a leaving agent too, which is drained when another one has taken its checks over', async () => {
    const [first, second] = await two();
    const left = first.checks.size;
    const atDrain: number[] = [];
    first.onUpdate = ({ message }) => message?.$case === 'drain' && atDrain.push(first.checks.size);
    second.acknowledges = false;
    first.send({ $case: 'leaving', value: {} });
    await second.has(CHECKS);
    expect([first.checks.size, atDrain], 'before the takeover').to.deep.equal([left, []]);
    for (const { message } of second.updates.slice(-1))
      if (message?.$case === 'delta')
        second.send({ $case: 'revisionAck', value: { revision: message.value.revision } });
    await eventually('the drain', () => (atDrain.length > 0 ? true : undefined), PATIENCE_MS, 5);
    expect(atDrain).to.deep.equal([0]);
    expect(handoversOf(second)).to.have.length(left);
  });

  it('are not sent for agents that leave together, which are drained with their checks', async () => {
    const [first, second] = await two();
    const [left, right] = [first.checks.size, second.checks.size];
    for (const agent of [first, second]) agent.send({ $case: 'leaving', value: {} });
    for (const agent of [first, second])
      await eventually('the drain', () => (agent.of('drain').length > 0 ? true : undefined), PATIENCE_MS, 5);
    expect([first.checks.size, second.checks.size]).to.deep.equal([left, right]);
  });
});
