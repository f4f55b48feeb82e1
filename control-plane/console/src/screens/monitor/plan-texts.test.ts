import { expect } from 'chai';
import type { Product } from '@watchpost/control-plane/capabilities/plans/plan-schemas';
import { planWith, regionsText } from './plan-texts.js';

const plan = (name: string, extraRegions: number | null, ...monitorTypes: string[]) =>
  ({ name, limits: { extraRegions }, features: { monitorTypes } }) as unknown as Product;
const PLANS = [
  plan('Starter', 0, 'HttpAvailability'),
  plan('Growth', 2, 'HttpAvailability', 'Latency'),
  plan('Pro', 5),
];

describe('A limit of the plan', () => {
  it('names the smallest plan that has more', () => {
    expect(regionsText(PLANS, 'Starter', 0)).to.equal(
      'Starter checks from the home region only, up to 2 more on Growth.',
    );
    expect(regionsText(PLANS, 'Growth', 2)).to.equal('Up to 2 more regions on Growth, up to 5 more on Pro.');
    expect(regionsText(PLANS, 'Pro', 5)).to.equal('Up to 5 more regions on Pro.');
    expect(regionsText(PLANS, 'Pro', null)).to.equal(undefined);
    expect(planWith(PLANS, ({ features }) => features.monitorTypes.includes('Latency'))).to.equal('Growth');
    expect(planWith(PLANS, ({ features }) => features.monitorTypes.includes('Dns'))).to.equal(undefined);
  });
});
