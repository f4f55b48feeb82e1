import { expect } from 'chai';
import { nextPlanText } from './plan-use.js';
import type { Product, WorkspaceView } from './views.js';

describe('A limit of the plan', () => {
  const workspaceWith = (teams: number | null, used: number) =>
    ({ limits: { teams }, usage: { teams: used } }) as unknown as WorkspaceView;
  const plans = [
    { name: 'Starter', limits: { teams: 1 } },
    { name: 'Growth', limits: { teams: 3 } },
    { name: 'Enterprise', limits: { teams: null } },
  ] as unknown as Product[];

  it('that is reached names the smallest plan that has more', () => {
    expect(nextPlanText('teams', workspaceWith(1, 1), plans)).to.equal('Used up: Growth has 3.');
    expect(nextPlanText('teams', workspaceWith(3, 4), plans)).to.equal('Used up: Enterprise has no limit.');
    expect(nextPlanText('teams', workspaceWith(0, 0), plans)).to.equal('Not in this plan: Starter has 1.');
  });

  it('with room left, or without an end, asks for nothing', () => {
    expect(nextPlanText('teams', workspaceWith(3, 2), plans)).to.equal(undefined);
    expect(nextPlanText('teams', workspaceWith(null, 99), plans)).to.equal(undefined);
  });
});
