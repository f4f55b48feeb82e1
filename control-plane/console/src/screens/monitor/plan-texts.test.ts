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
    expect(regionsText(PLANS, 'Starter', 0)).to.equal('Starter checks from the home region alone. Growth has 2 more.');
    expect(regionsText(PLANS, 'Growth', 2)).to.equal('Growth has 2 further regions. Pro has 5.');
    expect(regionsText(PLANS, 'Pro', 5)).to.equal('Pro has 5 further regions.');
    expect(regionsText(PLANS, 'Pro', null)).to.equal(undefined);
    expect(planWith(PLANS, ({ features }) => features.monitorTypes.includes('Latency'))).to.equal('Growth');
    expect(planWith(PLANS, ({ features }) => features.monitorTypes.includes('Dns'))).to.equal(undefined);
  });
});
