import { Fault } from '@watchpost/shared/fault';
import { announcePlanChange, type PlanDeps, callPlanListeners } from './announce-plan-change.js';
import type { Entitlements, LimitOverrides } from './entitlements.js';
import { findAccount } from './find-account.js';
import { accountPlanStore } from './plan-store.js';
import { recordPlanChange } from './record-plan-change.js';
import { LIMIT_KEYS, type LimitKey } from '@watchpost/shared/plan-limits';
import { PLAN_NAMES, type PlanName } from './plans.js';

export interface PlanChange {
  /** The email or the id of the account. */
  user: string;
  plan: string;
  /**
   * Limits of this account in place of the plan's; null means unlimited, and `plan` the limit of the plan again. Those that
   * the account has already remain, unless it changes to another plan.
   */
  limits?: Readonly<Record<string, number | null | 'plan'>>;
}

/**
 * Sets the plan of an account, for operators. A running trial ends.
 * @throws Fault `validation_failed` for an unknown plan or limit, an invalid value, or an email that names no single account; `not_found`
 */
export async function setPlan(
  deps: PlanDeps,
  change: PlanChange,
): Promise<Entitlements & { userId: string; account: string }> {
  const plan = planNamed(change.plan);
  const given = limitsOf(change.limits ?? {});
  const nowMs = deps.clock.now();
  const result = await deps.db.transaction(async (tx) => {
    const account = await findAccount(tx, change.user);
    const before = await accountPlanStore.lock(tx, account.id);
    if (!before) throw new Fault('not_found', `The account ${account.label} no longer exists.`);
    // During a trial, the limits of the account belong to the plan after it.
    const kept = (before.trialFallback ?? before.plan) === plan ? before.planLimits : {};
    const limits = withoutPlanLimits({ ...kept, ...given });
    await accountPlanStore.update(tx, account.id, plan, limits, nowMs);
    const after = (await accountPlanStore.find(tx, account.id))!;
    await recordPlanChange(deps, tx, 'operator', 'workspace.plan_changed', before, after);
    const entitlements = await callPlanListeners(deps, tx, { ownerId: account.id, plan, planLimits: limits });
    return { ...entitlements, userId: account.id, account: account.label };
  });
  announcePlanChange(deps);
  return result;
}

function planNamed(name: string): PlanName {
  const plan = PLAN_NAMES.find((known) => known.toLowerCase() === name.toLowerCase());
  if (!plan)
    throw new Fault(
      'validation_failed',
      `There is no plan ${JSON.stringify(name)}; the plans are ${PLAN_NAMES.join(', ')}.`,
    );
  return plan;
}

type GivenLimits = Partial<Record<LimitKey, number | null | 'plan'>>;

function limitsOf(limits: Readonly<Record<string, number | null | 'plan'>>): GivenLimits {
  const given: GivenLimits = {};
  for (const [name, value] of Object.entries(limits)) {
    const key = LIMIT_KEYS.find((known) => known === name);
    if (!key)
      throw new Fault(
        'validation_failed',
        `There is no limit ${JSON.stringify(name)}; the limits are ${LIMIT_KEYS.join(', ')}.`,
      );
    if (value !== null && value !== 'plan' && !(Number.isSafeInteger(value) && value >= 0)) {
      throw new Fault('validation_failed', `The limit ${key} takes a whole number from 0, unlimited, or plan.`);
    }
    given[key] = value;
  }
  return given;
}

function withoutPlanLimits(limits: GivenLimits): LimitOverrides {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== 'plan')) as LimitOverrides;
}
