import { LIMIT_KEYS } from '@watchpost/shared/plan-limits';
import { PLANS, type Features, type Limits, type PlanName } from './plans.js';

/** What an account may use: its plan and the limits negotiated for it. */
export interface Entitlements {
  plan: PlanName;
  limits: Limits;
  features: Features;
}

/** Limits negotiated for one account; null means unlimited. */
export type LimitOverrides = Readonly<Partial<Limits>>;

export function entitlementsOf(plan: PlanName, overrides: LimitOverrides = {}): Entitlements {
  const limits = { ...PLANS[plan].limits };
  for (const key of LIMIT_KEYS) {
    const override = overrides[key];
    if (override !== undefined) limits[key] = override;
  }
  return { plan, limits, features: PLANS[plan].features };
}
