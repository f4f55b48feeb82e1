import { expect } from 'chai';
import fc from 'fast-check';
import { epochDueInMs, type GatheringTimes } from './decide-epoch-start.js';
import { nextMembers } from './next-membership.js';
import type { RegionAgent, RegionFacts } from './region-store.js';

const TIMES: GatheringTimes = {
  joinQuietMs: 500,
  joinMostMs: 3_000,
  joinBusyMs: 20_000,
  lossQuietMs: 250,
  lossMostMs: 500,
};
const EPOCH = 7;

const member: RegionAgent = {
  agentId: 'a',
  status: 'active',
  isMember: true,
  epochCapabilities: ['http'],
  sessionId: 's',
  reportedCapabilities: ['http'],
  takenOverEpoch: EPOCH,
  isLive: true,
  connectedMs: 60_000,
  awaitedMs: 0,
};
const joiner = (agentId: string, connectedMs: number): RegionAgent => ({
  ...member,
  agentId,
  isMember: false,
  epochCapabilities: [],
  takenOverEpoch: null,
  connectedMs,
});
const lost = (agentId: string, awaitedMs: number): RegionAgent => ({ ...member, agentId, isLive: false, awaitedMs });

function factsOf(agents: readonly RegionAgent[]): RegionFacts {
  const members = agents.filter(({ isMember }) => isMember);
  return {
    membership: {
      epoch: EPOCH,
      members: members.map(({ agentId }) => agentId).toSorted(),
      capabilities: Object.fromEntries(members.map(({ agentId, epochCapabilities }) => [agentId, epochCapabilities])),
    },
    agents,
    former: [],
    nowMs: 0,
    isAlive: true,
  };
}
const dueInMs = (...agents: RegionAgent[]) => epochDueInMs(factsOf(agents), TIMES);

const anyAgent = fc.record({
  agentId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  status: fc.constantFrom('active' as const, 'active' as const, 'draining' as const, 'revoked' as const),
  isMember: fc.boolean(),
  isLive: fc.boolean(),
  takenOverEpoch: fc.constantFrom(null, EPOCH - 1, EPOCH),
  connectedMs: fc.integer({ min: 0, max: 60_000 }),
  awaitedMs: fc.integer({ min: -60_000, max: 30_000 }),
});
const anyAgents = fc
  .uniqueArray(anyAgent, { selector: ({ agentId }) => agentId, maxLength: 6 })
  .map((agents) => agents.map((agent) => ({ ...member, ...agent })));

describe('the start of an epoch', () => {
  it('is due exactly if the members change, and within its longest time', () => {
    fc.assert(
      fc.property(anyAgents, (agents) => {
        const facts = factsOf(agents);
        const dueMs = epochDueInMs(facts, TIMES);
        expect(dueMs !== undefined).to.equal(nextMembers(facts).join() !== facts.membership.members.join());
        expect(dueMs ?? 0).to.be.within(0, TIMES.joinBusyMs);
        expect(epochDueInMs({ ...facts, isAlive: false }, TIMES)).to.equal(undefined);
      }),
    );
  });

  it('waits for half a second at most where a member is lost, however many others are lost or join', () => {
    fc.assert(
      fc.property(anyAgents, fc.integer({ min: 0, max: 10_000 }), (agents, overMs) => {
        const present = [...agents.filter(({ agentId }) => agentId !== 'a'), { ...member, agentId: 'z' }];
        const dueMs = dueInMs(...present, lost('a', -overMs));
        expect(dueMs).to.be.within(0, Math.max(0, TIMES.lossMostMs - overMs));
      }),
    );
  });

  it('comes at last while time passes and nothing else happens', () => {
    fc.assert(
      fc.property(anyAgents, (agents) => {
        const dueMs = dueInMs(...agents);
        if (dueMs === undefined) return;
        const later = agents.map((agent) => ({
          ...agent,
          connectedMs: agent.connectedMs + dueMs,
          awaitedMs: agent.awaitedMs - dueMs,
        }));
        // Another agent may have been lost meanwhile, which shares the epoch.
        expect(dueInMs(...later) ?? 0).to.be.at.most(TIMES.lossMostMs);
      }),
    );
  });

  it('gathers agents that join within half a second of one another, for three seconds at most', () => {
    expect(dueInMs(member, joiner('b', 100))).to.equal(400);
    expect(dueInMs(member, joiner('b', 450), joiner('c', 100))).to.equal(400);
    expect(dueInMs(member, joiner('b', 2_900), joiner('c', 100))).to.equal(100);
    expect(dueInMs(member, joiner('b', 3_100), joiner('c', 0))).to.equal(0);
    expect(dueInMs(joiner('b', 100))).to.equal(400);
  });

  it('lets agents that join wait until the checks of the present epoch are taken over, for 20 seconds at most', () => {
    const busy = { ...member, takenOverEpoch: EPOCH - 1 };
    expect(dueInMs(busy, joiner('b', 1_000))).to.equal(19_000);
    expect(dueInMs({ ...busy, takenOverEpoch: EPOCH }, joiner('b', 1_000))).to.equal(0);
    expect(dueInMs(busy, joiner('b', 20_000), joiner('c', 0))).to.equal(0);
    // Nobody runs the checks of a region without a connected member.
    expect(dueInMs({ ...busy, isLive: false, awaitedMs: 20_000 }, joiner('b', 500))).to.equal(0);
  });

  it('gathers agents that are lost within a quarter of a second of one another, for half a second at most', () => {
    expect(dueInMs(member, lost('b', 0))).to.equal(0);
    expect(dueInMs(member, lost('b', -10), lost('c', 100))).to.equal(100);
    expect(dueInMs(member, lost('b', -450), lost('c', 100))).to.equal(50);
    expect(dueInMs(member, lost('b', -10), lost('c', 600))).to.equal(0);
  });

  it('waits for nothing where an operator drains or revokes an agent, or a member can run other checks', () => {
    expect(dueInMs({ ...member, status: 'draining' }, { ...member, agentId: 'b' }, lost('c', 100))).to.equal(0);
    expect(dueInMs({ ...member, status: 'revoked' }, { ...member, agentId: 'b' }, lost('c', 100))).to.equal(0);
    expect(dueInMs({ ...member, reportedCapabilities: ['dns', 'http'] }, joiner('b', 0))).to.equal(0);
  });
});
