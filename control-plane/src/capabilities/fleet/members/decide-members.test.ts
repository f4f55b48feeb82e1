import { expect } from 'chai';
import fc from 'fast-check';
import { decideMembers, type MembershipFacts } from './decide-members.js';

const ids = ['a', 'b', 'c', 'd', 'e'];
const facts: fc.Arbitrary<MembershipFacts> = fc.record({
  members: fc.subarray(ids),
  connected: fc
    .subarray(ids)
    .chain((list) =>
      fc.tuple(...list.map((agentId) => fc.record({ agentId: fc.constant(agentId), draining: fc.boolean() }))),
    ),
  awaited: fc.subarray(ids).map((list) => new Set(list)),
  revoked: fc.subarray(ids, { maxLength: 2 }).map((list) => new Set(list)),
});
const none: ReadonlySet<string> = new Set();

describe('the members of a region', () => {
  it('include every connected agent that is not draining', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const next = decideMembers(given);
        for (const { agentId, draining } of given.connected)
          if (!draining && !given.revoked.has(agentId)) expect(next).to.include(agentId);
      }),
    );
  });

  it('never include a revoked agent', () => {
    fc.assert(
      fc.property(facts, (given) =>
        decideMembers(given).forEach((agentId) => expect(given.revoked.has(agentId)).to.equal(false)),
      ),
    );
  });

  it('do not include a draining agent while another one is connected', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const next = decideMembers(given);
        const working = given.connected.some(({ agentId, draining }) => !draining && !given.revoked.has(agentId));
        if (working)
          for (const { agentId, draining } of given.connected) if (draining) expect(next).not.to.include(agentId);
      }),
    );
  });

  it('include only connected and awaited agents once one is connected', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const connected = new Set(given.connected.map(({ agentId }) => agentId));
        if (!given.connected.some(({ agentId }) => !given.revoked.has(agentId))) return;
        for (const agentId of decideMembers(given))
          expect(connected.has(agentId) || given.awaited.has(agentId)).to.equal(true);
      }),
    );
  });

  it('do not change while no agent is connected, or when they are decided again', () => {
    expect(decideMembers({ members: ['b', 'a'], connected: [], awaited: none, revoked: none })).to.deep.equal([
      'a',
      'b',
    ]);
    fc.assert(
      fc.property(facts, (given) => {
        const next = decideMembers(given);
        expect(decideMembers({ ...given, members: next })).to.deep.equal(next);
      }),
    );
  });

  it('include an awaited agent until its time is over', () => {
    const connected = [{ agentId: 'a', draining: false }];
    expect(decideMembers({ members: ['a', 'b'], connected, awaited: new Set(['b']), revoked: none })).to.deep.equal([
      'a',
      'b',
    ]);
    expect(decideMembers({ members: ['a', 'b'], connected, awaited: none, revoked: none })).to.deep.equal(['a']);
  });
});
