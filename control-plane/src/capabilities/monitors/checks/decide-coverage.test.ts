import { expect } from 'chai';
import type { Fault } from '@watchpost/shared/fault';
import { entitlementsOf } from '../../plans/index.js';
import { decideCoverage } from './decide-coverage.js';
import { decideNewSettings } from '../settings/decide-monitor-settings.js';
import { requirePlanCovers } from '../settings/require-plan-covers.js';

const url = 'https://shop.example/';
const rich = decideNewSettings({
  url,
  monitorTypes: ['HttpAvailability', 'Latency'],
  enabledRegions: ['eastus2', 'japaneast', 'westus3'],
  checkTimeout: 10_000,
}).settings;

type Named = Parameters<typeof requirePlanCovers>[1];

function refusal(plan: 'Starter' | 'Growth', named: Named, isNew = false): string | undefined {
  try {
    requirePlanCovers(entitlementsOf(plan), named, { isNew });
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

  it('is required of what a new monitor names', () => {
    expect(refusal('Starter', {}, true)).to.equal(undefined);
    expect(refusal('Starter', { checkTimeout: 30_000 }, true)).to.equal('feature_not_in_plan');
    expect(refusal('Starter', { checkTimeout: null }, true)).to.equal(undefined);
    expect(refusal('Starter', { monitorTypes: ['Latency'] }, true)).to.equal('feature_not_in_plan');
    expect(refusal('Starter', { enabledRegions: ['eastus2'] }, true)).to.equal('plan_limit_exceeded');
    expect(refusal('Growth', { enabledRegions: rich.enabledRegions }, true)).to.equal('plan_limit_exceeded');
    expect(refusal('Growth', { enabledRegions: ['eastus2', 'japaneast'], checkTimeout: 9_000 }, true)).to.equal(
      undefined,
    );
  });

  it('is required of what an update names, also where it repeats what is stored, and of nothing else', () => {
    const { monitorTypes, enabledRegions } = rich;
    expect(refusal('Starter', {})).to.equal(undefined);
    expect(refusal('Starter', { monitorTypes })).to.equal('feature_not_in_plan');
    expect(refusal('Starter', { enabledRegions })).to.equal('plan_limit_exceeded');
    expect(refusal('Starter', { monitorTypes, enabledRegions })).to.equal('feature_not_in_plan');
    expect(refusal('Starter', { checkTimeout: rich.checkTimeoutMs })).to.equal('feature_not_in_plan');
    expect(
      refusal('Starter', { checkTimeout: 30_000, monitorTypes: ['HttpAvailability'], enabledRegions: [] }),
    ).to.equal(undefined);
  });
});
