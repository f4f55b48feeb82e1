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

describe('who shares the checks of a region', () => {
  it('is everybody who is connected and does not drain', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const next = decideMembers(given);
        for (const { agentId, draining } of given.connected)
          if (!draining && !given.revoked.has(agentId)) expect(next).to.include(agentId);
      }),
    );
  });

  it('is never one that is revoked', () => {
    fc.assert(
      fc.property(facts, (given) =>
        decideMembers(given).forEach((agentId) => expect(given.revoked.has(agentId)).to.equal(false)),
      ),
    );
  });

  it('is never one that drains while another is connected that does not', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const next = decideMembers(given);
        const working = given.connected.some(({ agentId, draining }) => !draining && !given.revoked.has(agentId));
        if (working)
          for (const { agentId, draining } of given.connected) if (draining) expect(next).not.to.include(agentId);
      }),
    );
  });

  it('is never one that is neither connected nor awaited, once somebody is connected', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const connected = new Set(given.connected.map(({ agentId }) => agentId));
        if (!given.connected.some(({ agentId }) => !given.revoked.has(agentId))) return;
        for (const agentId of decideMembers(given))
          expect(connected.has(agentId) || given.awaited.has(agentId)).to.equal(true);
      }),
    );
  });

  it('does not change where nobody is connected, nor by being decided again', () => {
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

  it('keeps a member that is awaited, and drops it when its time is up', () => {
    const connected = [{ agentId: 'a', draining: false }];
    expect(decideMembers({ members: ['a', 'b'], connected, awaited: new Set(['b']), revoked: none })).to.deep.equal([
      'a',
      'b',
    ]);
    expect(decideMembers({ members: ['a', 'b'], connected, awaited: none, revoked: none })).to.deep.equal(['a']);
  });
});
