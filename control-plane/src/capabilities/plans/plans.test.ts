import { expect } from 'chai';
import fc from 'fast-check';
import { Fault } from '@watchpost/shared/fault';
import { LIMIT_KEYS } from '@watchpost/shared/plan-limits';
import { entitlementsOf, PLAN_NAMES, PLANS, requireCovered, requireFeature, requireWithinLimit } from './index.js';

const plan = fc.constantFrom(...PLAN_NAMES);
const key = fc.constantFrom(...LIMIT_KEYS);

function faultOf(work: () => void): Fault | null {
  try {
    work();
    return null;
  } catch (error) {
    expect(error).to.be.instanceOf(Fault);
    return error as Fault;
  }
}

describe('The plans', () => {
  it('each have at least what the one before has', () => {
    PLAN_NAMES.slice(1).forEach((name, index) => {
      const [smaller, larger] = [PLANS[PLAN_NAMES[index]!], PLANS[name]];
      for (const limit of LIMIT_KEYS)
        expect(larger.limits[limit] ?? Infinity, `${name} ${limit}`).to.be.at.least(smaller.limits[limit] ?? Infinity);
      expect(larger.features.monitorTypes).to.include.members([...smaller.features.monitorTypes]);
    });
  });

  it('give an account its negotiated limits, and otherwise those of the plan', () => {
    const { limits } = entitlementsOf('Enterprise', { monitors: 300, webhookGroups: null });
    expect(limits).to.deep.equal({ ...PLANS.Enterprise.limits, monitors: 300, webhookGroups: null });
    expect(PLANS.Enterprise.limits.monitors).to.equal(200);
  });

  it('allow up to the limit and not one more', () => {
    fc.assert(
      fc.property(plan, key, fc.integer({ min: 0, max: 300 }), (name, limitKey, wanted) => {
        const entitlements = entitlementsOf(name);
        const limit = entitlements.limits[limitKey];
        const fault = faultOf(() => requireWithinLimit(entitlements, limitKey, wanted));
        expect(fault === null).to.equal(limit === null || wanted <= limit);
        if (fault) expect(fault.code).to.equal('plan_limit_exceeded');
      }),
    );
  });

  it('name the exceeded limit, its value and the plan that has enough', () => {
    const fault = faultOf(() => requireWithinLimit(entitlementsOf('Starter'), 'extraRegions', 3, 'enabledRegions'));
    expect(fault!.details).to.deep.equal([
      {
        path: 'enabledRegions',
        message: 'The plan Starter has no extra regions per monitor; Pro has more.',
        limit: 'extraRegions',
        value: 0,
        plan: 'Pro',
      },
    ]);
    expect(faultOf(() => requireWithinLimit(entitlementsOf('Pro'), 'monitors', 9_999))!.details[0]).to.include({
      value: 100,
      plan: null,
    });
  });

  it('name everything that is missing at once', () => {
    const fault = faultOf(() =>
      requireCovered(entitlementsOf('Starter'), {
        features: [
          { need: { monitorType: 'HttpAvailability' }, path: 'monitorTypes.0' },
          { need: { monitorType: 'Dns' }, path: 'monitorTypes.1' },
          { need: 'customTimeout', path: 'checkTimeout', accepted: 'PT30S' },
        ],
        amounts: [{ key: 'extraRegions', wanted: 1, path: 'enabledRegions', accepted: [] }],
      }),
    );
    expect(fault!.code).to.equal('feature_not_in_plan');
    expect(fault!.details.map(({ path, plan: enough, accepted }) => [path, enough, accepted])).to.deep.equal([
      ['monitorTypes.1', 'Pro', undefined],
      ['checkTimeout', 'Growth', 'PT30S'],
      ['enabledRegions', 'Growth', []],
    ]);
    expect(fault!.message).to.match(/Accepted: PT30S\..*Accepted: an empty list\./);
  });

  it('keep TcpUdp to Enterprise and changing data over MCP to Pro', () => {
    expect(faultOf(() => requireFeature(entitlementsOf('Pro'), { monitorType: 'TcpUdp' }))!.details[0]).to.include({
      plan: 'Enterprise',
    });
    expect(faultOf(() => requireFeature(entitlementsOf('Growth'), 'mcpWrite'))!.details[0]).to.include({ plan: 'Pro' });
    expect(faultOf(() => requireFeature(entitlementsOf('Growth'), 'mcpRead'))).to.equal(null);
  });
});
