import { expect } from 'chai';
import type { Fault } from '@watchpost/shared/fault';
import { entitlementsOf } from '../../plans/index.js';
import { decideCoverage } from './decide-coverage.js';
import { decideNewSettings } from '../settings/decide-monitor-settings.js';
import type { MonitorSettings } from '../settings/monitor-settings.js';
import { requirePlanCovers } from '../settings/require-plan-covers.js';

const url = 'https://shop.example/';
const rich = decideNewSettings({
  url,
  monitorTypes: ['HttpAvailability', 'Latency'],
  enabledRegions: ['eastus2', 'japaneast', 'westus3'],
  checkTimeout: 10_000,
}).settings;
const plain = decideNewSettings({ url }).settings;

function refusal(
  plan: 'Starter' | 'Growth',
  before: MonitorSettings | null,
  after: MonitorSettings,
  setsTimeout = false,
): string | undefined {
  try {
    requirePlanCovers(entitlementsOf(plan), before, after, setsTimeout);
    return undefined;
  } catch (error) {
    return (error as Fault).code;
  }
}

describe('what the plan covers of a monitor', () => {
  it('runs everything of a plan that has everything', () => {
    expect(decideCoverage(rich, entitlementsOf('Pro'))).to.deep.equal({
      monitorTypes: rich.monitorTypes,
      extraRegions: rich.enabledRegions,
      checkTimeoutMs: 10_000,
      restricted: [],
    });
  });

  it('keeps what a smaller plan lacks and does not run it', () => {
    expect(decideCoverage(rich, entitlementsOf('Growth'))).to.deep.include({
      extraRegions: ['eastus2', 'japaneast'],
      restricted: ['westus3'],
    });
    expect(decideCoverage(rich, entitlementsOf('Starter'))).to.deep.equal({
      monitorTypes: ['HttpAvailability'],
      extraRegions: [],
      checkTimeoutMs: 30_000,
      restricted: ['Latency', 'eastus2', 'japaneast', 'westus3', 'checkTimeout'],
    });
  });

  it('has no bound where the limit is lifted', () => {
    expect(decideCoverage(rich, entitlementsOf('Starter', { extraRegions: null })).extraRegions).to.have.length(3);
  });

  it('refuses new things that it lacks', () => {
    expect(refusal('Starter', null, plain)).to.equal(undefined);
    expect(refusal('Starter', null, plain, true)).to.equal('feature_not_in_plan');
    expect(refusal('Starter', null, { ...plain, monitorTypes: ['Latency'] })).to.equal('feature_not_in_plan');
    expect(refusal('Starter', null, { ...plain, enabledRegions: ['eastus2'] })).to.equal('plan_limit_exceeded');
    expect(refusal('Growth', null, rich)).to.equal('plan_limit_exceeded');
    expect(refusal('Growth', plain, { ...plain, enabledRegions: ['eastus2', 'japaneast'] }, true)).to.equal(undefined);
  });

  it('does not hold against a change what was there before the plan became smaller', () => {
    expect(refusal('Starter', rich, { ...rich, name: 'Shop' })).to.equal(undefined);
    expect(refusal('Starter', rich, rich, true)).to.equal(undefined);
    expect(refusal('Starter', rich, { ...rich, enabledRegions: ['japaneast'] })).to.equal(undefined);
    expect(refusal('Starter', rich, { ...rich, enabledRegions: ['centralindia'] })).to.equal('plan_limit_exceeded');
    expect(refusal('Starter', rich, { ...rich, checkTimeoutMs: 9_000 }, true)).to.equal('feature_not_in_plan');
  });
});
