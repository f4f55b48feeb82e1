import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS } from '@watchpost/shared/time';
import { decideTrial, greaterPlan, TRIAL_MS } from './decide-trial.js';
import { PLAN_NAMES } from './plans.js';

const START = Date.UTC(2026, 10, 21, 12);
const growth = { trialPlan: 'Growth' as const, trialStarted: new Date(START), trialEnds: new Date(START + TRIAL_MS) };

describe('A trial', () => {
  it('is none where nothing was tried', () => {
    const none = { trialPlan: null, trialStarted: null, trialEnds: null };
    expect(decideTrial(none, START)).to.include({ status: 'none', daysRemaining: null });
  });

  it('counts a day that has begun, from fourteen to none', () => {
    expect(decideTrial(growth, START).daysRemaining).to.equal(14);
    expect(decideTrial(growth, START + 1).daysRemaining).to.equal(14);
    expect(decideTrial(growth, START + DAY_MS).daysRemaining).to.equal(13);
    expect(decideTrial(growth, START + TRIAL_MS - 1)).to.include({ status: 'active', daysRemaining: 1 });
    expect(decideTrial(growth, START + TRIAL_MS)).to.include({ status: 'expired', daysRemaining: 0 });
  });

  it('is active just as long as days remain, and never gains one', () => {
    fc.assert(
      fc.property(fc.nat(30 * DAY_MS), fc.nat(30 * DAY_MS), (one, other) => {
        const [early, late] = [Math.min(one, other), Math.max(one, other)];
        const [before, after] = [decideTrial(growth, START + early), decideTrial(growth, START + late)];
        expect(before.status === 'active').to.equal(before.daysRemaining! > 0);
        expect(after.daysRemaining).to.be.at.most(before.daysRemaining!);
      }),
    );
  });

  it('takes nothing away', () => {
    for (const [index, plan] of PLAN_NAMES.entries()) {
      for (const [other, tried] of PLAN_NAMES.entries()) {
        expect(greaterPlan(plan, tried)).to.equal(PLAN_NAMES[Math.max(index, other)]);
      }
    }
  });
});
