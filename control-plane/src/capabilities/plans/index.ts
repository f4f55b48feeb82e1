export {
  PLAN_NAMES,
  type PlanName,
  GROUP_LIMIT_KEYS,
  type GroupLimitKey,
  channelLimit,
  type TimelineWindow,
  PLANS,
} from './plans.js';
export { entitlementsOf, type Entitlements, type LimitOverrides } from './entitlements.js';
export { lockAccountEntitlements, lockWorkspaceEntitlements, workspaceEntitlements } from './workspace-entitlements.js';
export {
  type NeededFeature,
  planWithMore,
  requireCovered,
  requireFeature,
  requireWithinLimit,
} from './require-within-plan.js';
export { limitsSchema, planNameSchema, trialSchema, usageSchema } from './plan-schemas.js';
export type { PlanListener } from './announce-plan-change.js';
export { decideTrial } from './decide-trial.js';
export { endTrials } from './trials.js';
export { findAccount, goneFault } from './find-account.js';
export { setPlan, type PlanChange } from './set-plan.js';
export {
  nextBudgetDay,
  purgeBudgets,
  readSender,
  readSenders,
  refundBudget,
  type Sender,
  spendBudget,
  spendBudgets,
} from './sender.js';
export { planRoutes } from './plan-routes.js';
