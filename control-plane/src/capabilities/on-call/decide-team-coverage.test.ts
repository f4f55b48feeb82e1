import { expect } from 'chai';
import fc from 'fast-check';
import { entitlementsOf, PLAN_NAMES } from '../plans/index.js';
import { decideTeamCoverage } from './decide-team-coverage.js';

describe('What a plan covers of a team', () => {
  it('is every team up to its number, by rank, and none beyond it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PLAN_NAMES),
        fc.option(fc.nat(20), { nil: null }),
        fc.integer({ min: 1, max: 30 }),
        (plan, teams, ownerRank) => {
          const coverage = decideTeamCoverage(entitlementsOf(plan, { teams }), { name: 'Web', ownerRank });
          expect(coverage.isBeyondLimit).to.equal(teams !== null && ownerRank > teams);
          expect(coverage.hasRotations).to.equal(!coverage.isBeyondLimit && plan !== 'Starter');
          expect(coverage.why === null).to.equal(coverage.hasRotations);
        },
      ),
    );
  });

  it('is explained with what would change it', () => {
    const beyond = (plan: 'Starter' | 'Enterprise', teams: number) =>
      decideTeamCoverage(entitlementsOf(plan, { teams }), { name: 'Web', ownerRank: 9 }).why;
    expect(beyond('Starter', 1)).to.equal(
      'The plan Starter has at most 1 team, and Web is beyond it: delete another team or change to Growth.',
    );
    expect(beyond('Starter', 3)).to.match(/at most 3 teams, and Web is beyond them: .* or change to Pro\.$/);
    expect(beyond('Starter', 0)).to.match(/^The plan Starter has no teams/);
  });
});
