import { checkCode } from '@watchpost/shared/check';
import { expect } from 'chai';
import fc from 'fast-check';
import { newId } from '@watchpost/shared/id';
import { candidateOf, ownerOf } from './decide-owner.js';

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

  it('is distributed evenly, also among agents created in the same millisecond and for neighbouring monitors', () => {
    for (const count of [2, 3, 5, 10]) {
      const candidates = Array.from({ length: count }, () => candidate(newId(1_763_700_000_000)));
      const share = new Map<string, number>();
      const checks = 20_000;
      for (let monitorKey = 1; monitorKey <= checks; monitorKey++) {
        const owner = ownerOf(candidates, checkCode({ monitorKey, kind: 'http' }))!;
        share.set(owner, (share.get(owner) ?? 0) + 1);
      }
      for (const { agentId } of candidates)
        expect(share.get(agentId)).to.be.within((checks / count) * 0.9, (checks / count) * 1.1);
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
});
