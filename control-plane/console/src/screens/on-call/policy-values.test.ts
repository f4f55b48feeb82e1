import { expect } from 'chai';
import fc from 'fast-check';
import { keyOfTarget, newStep, plannedPages, targetOfKey } from './policy-values.js';

describe('the values of a policy', () => {
  it('name the time of each step of each round, from the step before', () => {
    const steps = [{ ...newStep(), after: 'PT0S' }, newStep(), { ...newStep([{ type: 'leads' }]), after: 'P1D' }];
    expect(plannedPages({ steps, repeat: 1 })).to.deep.equal([
      { afterMs: 0, round: 0, step: 0 },
      { afterMs: 600_000, round: 0, step: 1 },
      { afterMs: 87_000_000, round: 0, step: 2 },
      { afterMs: 173_400_000, round: 1, step: 0 },
      { afterMs: 174_000_000, round: 1, step: 1 },
      { afterMs: 260_400_000, round: 1, step: 2 },
    ]);
  });

  it('have as many pages as steps and rounds within 30 days, never earlier than the one before', () => {
    const minutes = fc.array(fc.nat(300), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(minutes, fc.nat(9), (all, repeat) => {
        const pages = plannedPages({ steps: all.map((each) => ({ ...newStep(), after: `PT${each}M` })), repeat });
        expect(pages).to.have.length(all.length * (repeat + 1));
        expect(pages.map(({ afterMs }) => afterMs)).to.deep.equal(
          pages.map(({ afterMs }) => afterMs).toSorted((a, b) => a - b),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('distinguish targets whatever the order of their fields', () => {
    const target = { id: 'a', type: 'user' } as const;
    expect(keyOfTarget(target)).to.equal(keyOfTarget({ type: 'user', id: 'a' }));
    expect(targetOfKey(keyOfTarget(target))).to.deep.equal(target);
  });
});
