import { CHECK_KIND_CODES, CHECK_KINDS, checkCode } from '@watchpost/shared/check';
import { expect } from 'chai';
import fc from 'fast-check';
import { newId } from '@watchpost/shared/id';
import { OWNERSHIP_SHARDS, shardOf } from '@watchpost/shared/ownership-shard';
import { candidateOf, ownedShards, ownerOf } from './decide-owner.js';

const agents = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 12 });
const codes = fc.integer({ min: 1, max: 2 ** 40 }).map((monitorKey) => checkCode({ monitorKey, kind: 'http' }));

const candidate = (agentId: string) => candidateOf(agentId, ['http']);

describe('the owner of a check', () => {
  it('is one of the candidates and does not depend on their order', () => {
    fc.assert(
      fc.property(agents, codes, (ids, code) => {
        const owner = ownerOf(ids.map(candidate), code);
        expect(ids).to.include(owner);
        expect(ownerOf(ids.toReversed().map(candidate), code)).to.equal(owner);
      }),
    );
  });

  it('is undefined without a candidate', () => {
    expect(ownerOf([], 8)).to.equal(undefined);
  });

  it('changes only to an agent that joins, or from one that leaves', () => {
    fc.assert(
      fc.property(agents, fc.uuid(), codes, (ids, another, code) => {
        fc.pre(!ids.includes(another));
        const before = ownerOf(ids.map(candidate), code);
        const after = ownerOf([...ids, another].map(candidate), code);
        expect(after).to.be.oneOf([before, another]);
      }),
    );
  });

  it('can run the check: an older agent keeps its checks and gains none of a newer kind', () => {
    fc.assert(
      fc.property(
        agents,
        agents,
        fc.maxSafeNat().map((key) => key % 2 ** 40),
        (older, newer, monitorKey) => {
          fc.pre(!older.some((id) => newer.includes(id)));
          const candidates = [...older.map(candidate), ...newer.map((id) => candidateOf(id, ['dns', 'http', 'ssl']))];
          expect(ownerOf(candidates, checkCode({ monitorKey, kind: 'ssl' }))).to.be.oneOf(newer);
          expect(ownerOf(candidates, checkCode({ monitorKey, kind: 'tcpUdp' }))).to.equal(undefined);
          const http = checkCode({ monitorKey, kind: 'http' });
          expect(ownerOf(candidates, http)).to.equal(ownerOf([...older, ...newer].map(candidate), http));
        },
      ),
    );
  });

  it('is distributed as evenly as by chance, also among agents created in the same millisecond', () => {
    for (const count of [2, 3, 5, 10]) {
      const candidates = Array.from({ length: count }, () => candidate(newId(1_763_700_000_000)));
      const share = OWNERSHIP_SHARDS / count;
      const standardDeviation = Math.sqrt(share * (1 - 1 / count));
      for (const { agentId } of candidates)
        expect(ownedShards(candidates, agentId).size).to.be.closeTo(share, 6 * standardDeviation);
    }
  });

  it('is distributed evenly among the remaining agents when one leaves', () => {
    const ids = Array.from({ length: 5 }, () => newId(1_763_700_000_000));
    const all = ids.map(candidate);
    const left = all.slice(1);
    const gained = new Map<string, number>();
    let moved = 0;
    for (let monitorKey = 1; monitorKey <= 20_000; monitorKey++) {
      const code = checkCode({ monitorKey, kind: 'http' });
      if (ownerOf(all, code) !== ids[0]) continue;
      moved++;
      const owner = ownerOf(left, code)!;
      gained.set(owner, (gained.get(owner) ?? 0) + 1);
    }
    for (const count of gained.values()) expect(count).to.be.within((moved / 4) * 0.8, (moved / 4) * 1.2);
  });

  it('is the same for all monitors and kinds of a shard that the same agents can run', () => {
    fc.assert(
      fc.property(agents, fc.nat(2 ** 40), fc.nat(2 ** 20), (ids, monitorKey, step) => {
        const candidates = ids.map((id) => candidateOf(id, CHECK_KINDS));
        const other = monitorKey + step * OWNERSHIP_SHARDS;
        expect(shardOf(other)).to.equal(shardOf(monitorKey));
        const owners = CHECK_KINDS.flatMap((kind) =>
          [monitorKey, other].map((key) => ownerOf(candidates, checkCode({ monitorKey: key, kind }))),
        );
        expect(new Set(owners).size).to.equal(1);
      }),
    );
  });

  const capabilities = fc.subarray([...CHECK_KINDS]);
  const mixed = fc.uniqueArray(fc.tuple(fc.uuid(), capabilities), {
    selector: ([id]) => id,
    minLength: 1,
    maxLength: 8,
  });

  it('has the shards and kinds of which it is the owner by the rule, and no others', () => {
    fc.assert(
      fc.property(mixed, (members) => {
        const candidates = members.map(([id, kinds]) => candidateOf(id, kinds));
        const owned = new Map(members.map(([id]) => [id, ownedShards(candidates, id)]));
        for (let shard = 1; shard < OWNERSHIP_SHARDS; shard += 97) {
          for (const kind of CHECK_KINDS) {
            const owner = ownerOf(candidates, checkCode({ monitorKey: shard, kind }));
            for (const [id, shards] of owned)
              expect(((shards.get(shard) ?? 0) >> CHECK_KIND_CODES[kind]) & 1).to.equal(id === owner ? 1 : 0);
          }
        }
        expect(ownedShards(candidates, 'another').size).to.equal(0);
      }),
      { numRuns: 30 },
    );
  });

  it('moves no more than its share when it joins or leaves, and nothing among the others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 12 }), (ids) => {
        const all = ids.map(candidate);
        const left = all.slice(1);
        const had = ownedShards(all, ids[0]!);
        const gained = left.map(({ agentId }) => {
          const before = ownedShards(all, agentId);
          const after = ownedShards(left, agentId);
          expect([...before.keys()].every((shard) => after.has(shard))).to.equal(true);
          return [...after.keys()].filter((shard) => !before.has(shard));
        });
        expect(gained.flat().toSorted((a, b) => a - b)).to.deep.equal([...had.keys()]);
        expect(had.size).to.be.within((OWNERSHIP_SHARDS / ids.length) * 0.8, (OWNERSHIP_SHARDS / ids.length) * 1.2);
      }),
      { numRuns: 30 },
    );
  });
});
