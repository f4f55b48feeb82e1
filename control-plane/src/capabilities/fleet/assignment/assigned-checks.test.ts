import { CHECK_KINDS, checkCode, keyOfCode, possibleCodes } from '@watchpost/shared/check';
import { expect } from 'chai';
import fc from 'fast-check';
import { OWNERSHIP_SHARDS } from '@watchpost/shared/ownership-shard';
import { candidateOf, ownerOf, type Candidate, type Ownership } from '../members/decide-owner.js';
import { AssignedChecks } from './assigned-checks.js';
import { decideGainedShards } from './decide-gained-shards.js';

const AGENTS = ['a', 'b', 'c', 'd'];
const ME = 'a';
const KEYS = Array.from({ length: 40 }, (_, index) => 1 + index * 409 + (index % 3) * OWNERSHIP_SHARDS);

/** The same array for the same agents, because the owners of all shards are decided once for each array. */
const ownersAmong = new Map<string, readonly Candidate[]>();

function among(ids: readonly string[], epoch: number): Ownership {
  const of = ids.join();
  const owners = ownersAmong.get(of) ?? ids.map((id) => candidateOf(id, id === 'd' ? ['http', 'ssl'] : CHECK_KINDS));
  ownersAmong.set(of, owners);
  return { epoch: String(epoch), owners, former: [] };
}

/** A change of the members, or of the kinds of one monitor. */
const step = fc.oneof(
  fc.record({ members: fc.subarray(AGENTS, { minLength: 1 }) }),
  fc.record({ monitor: fc.constantFrom(...KEYS), kinds: fc.subarray([...CHECK_KINDS]) }),
);

describe('the checks of a returned agent', () => {
  it('are what it owns after any changes of members and monitors, though no monitor was read when it returned', () => {
    fc.assert(
      fc.property(fc.subarray(AGENTS, { minLength: 1 }), fc.array(step, { maxLength: 25 }), (members, steps) => {
        const kindsOf = new Map(KEYS.map((key) => [key, [...CHECK_KINDS.slice(0, 1 + (key % 4))]]));
        let ownership = among(members, 0);
        const isMine = (code: number) => ownerOf(ownership.owners, code) === ME;
        const ofMonitor = (key: number) => kindsOf.get(key)!.map((kind) => checkCode({ monitorKey: key, kind }));
        // What the agent really has: it ignores removals of checks that it does not have.
        const held = new Set(KEYS.flatMap(ofMonitor).filter(isMine));
        const assigned = new AssignedChecks();
        assigned.keep(ME, ownership);
        for (const [index, change] of steps.entries()) {
          if ('members' in change) {
            const before = ownership;
            ownership = among(change.members, index + 1);
            const shards = new Set(decideGainedShards(ME, before, ownership));
            const read = KEYS.filter((key) => shards.has(key % OWNERSHIP_SHARDS))
              .flatMap(ofMonitor)
              .filter(isMine);
            for (const code of read.filter((one) => !assigned.has(one))) {
              held.add(code);
              assigned.add(code);
            }
            const lost = new Set(assigned.lostShards(ME, [ownership]));
            const kept = KEYS.filter((key) => lost.has(key % OWNERSHIP_SHARDS)).flatMap((key) =>
              assigned.ofMonitor(key),
            );
            for (const code of [...assigned.lostSent(ME, [ownership]), ...kept]) if (!isMine(code)) held.delete(code);
            assigned.dropLost(ME, [ownership]);
            expect(assigned.hasLost(ME, ownership)).to.equal(false);
          } else {
            kindsOf.set(change.monitor, change.kinds);
            const wanted = new Set(ofMonitor(change.monitor).filter(isMine));
            const removes = assigned.ofMonitor(change.monitor).filter((code) => !wanted.has(code));
            for (const code of wanted) [held.add(code), assigned.add(code)];
            for (const code of removes) [held.delete(code), assigned.delete(code)];
            assigned.settle(change.monitor);
          }
          const owned = KEYS.flatMap(ofMonitor).filter(isMine);
          expect([...held]).to.have.members(owned);
          expect(owned.every((code) => assigned.has(code))).to.equal(true);
          for (const code of KEYS.flatMap((key) => possibleCodes(key)))
            if (assigned.has(code)) expect(isMine(code), JSON.stringify(keyOfCode(code))).to.equal(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
