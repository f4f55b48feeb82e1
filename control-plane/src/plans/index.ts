export * from './plans.js';
export { entitlementsOf, type Entitlements, type LimitOverrides } from './entitlements.js';
export { lockWorkspaceEntitlements, workspaceEntitlements } from './workspace-entitlements.js';
export {
  hasFeature,
  requireFeature,
  requireFeatures,
  requireWithinLimit,
  type FeatureNeed,
} from './require-within-plan.js';
export { limitsSchema, planNameSchema, usageSchema } from './plan-schemas.js';
export { setPlan, type PlanChange, type PlanDeps, type PlanListener } from './set-plan.js';
export { setPlanCommand } from './set-plan-command.js';
export { planRoutes } from './plan-routes.js';
