import { expect } from 'chai';
import fc from 'fast-check';
import { newId } from '@watchpost/shared/id';
import { candidateOf, ownerOf } from './decide-owner.js';
import { checkCode } from './check-code.js';

const agents = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 12 });
const codes = fc.integer({ min: 1, max: 2 ** 40 }).map((monitorKey) => checkCode({ monitorKey, kind: 'http' }));

describe('who owns a check', () => {
  it('is one of the candidates, whatever their order', () => {
    fc.assert(
      fc.property(agents, codes, (ids, code) => {
        const owner = ownerOf(ids.map(candidateOf), code);
        expect(ids).to.include(owner);
        expect(ownerOf(ids.toReversed().map(candidateOf), code)).to.equal(owner);
      }),
    );
  });

  it('is nobody where there is no candidate', () => {
    expect(ownerOf([], 8)).to.equal(undefined);
  });

  it('moves only to an agent that comes, and only from one that goes', () => {
    fc.assert(
      fc.property(agents, fc.uuid(), codes, (ids, another, code) => {
        fc.pre(!ids.includes(another));
        const before = ownerOf(ids.map(candidateOf), code);
        const after = ownerOf([...ids, another].map(candidateOf), code);
        expect(after).to.be.oneOf([before, another]);
      }),
    );
  });

  it('is shared evenly, also among agents made in the same millisecond and for neighbouring monitors', () => {
    for (const count of [2, 3, 5, 10]) {
      const candidates = Array.from({ length: count }, () => candidateOf(newId(1_763_700_000_000)));
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

  it('of one agent that leaves falls evenly to those that stay', () => {
    const ids = Array.from({ length: 5 }, () => newId(1_763_700_000_000));
    const all = ids.map(candidateOf);
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
