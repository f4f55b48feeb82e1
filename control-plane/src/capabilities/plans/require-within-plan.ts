import type { MonitorType } from '@watchpost/shared/monitor-types';
import { Fault, type FaultDetail } from '@watchpost/shared/fault';
import { LIMIT_NOUNS, type LimitKey } from '@watchpost/shared/plan-limits';
import type { Entitlements } from './entitlements.js';
import { PLAN_NAMES, PLANS, type Features, type PlanName, type TimelineWindow } from './plans.js';

type Switch = { [Key in keyof Features]: Features[Key] extends boolean ? Key : never }[keyof Features];

export type FeatureNeed = Switch | { monitorType: MonitorType } | { timelineWindow: TimelineWindow };

const SWITCH_NOUNS: Readonly<Record<Switch, string>> = {
  customTimeout: 'A custom check timeout',
  rotations: 'An on-call rotation',
  mcpRead: 'Reading over MCP',
  mcpWrite: 'Changing data over MCP',
  banner: 'A status page banner',
};

/** A value of the field that the plan allows. */
type Accepted = string | boolean | null | readonly string[];

export interface NeededFeature {
  need: FeatureNeed;
  /** The field at fault, `''` for the request as a whole. */
  path: string;
  /** A value of that field that the plan allows, if there is one. */
  accepted?: Accepted | undefined;
}

/** The amount of something limited that a request would lead to. */
export interface NeededAmount {
  key: LimitKey;
  wanted: number;
  path: string;
  accepted?: Accepted | undefined;
}

/**
 * Refuses amounts beyond the limit. Callers count in the transaction that took `lockWorkspaceEntitlements`; otherwise two
 * concurrent requests can exceed the limit together.
 * @param wanted the amount after the request
 * @param path the field at fault, `''` for the request as a whole
 * @param accepted a value of that field that the plan allows, if there is one
 * @throws Fault `plan_limit_exceeded`; its detail has `limit`, `value`, `plan` (the smallest plan that has enough, or
 *   null), and `accepted`
 */
export function requireWithinLimit(
  entitlements: Entitlements,
  key: LimitKey,
  wanted: number,
  path = '',
  accepted?: Accepted,
): void {
  requireCovered(entitlements, { amounts: [{ key, wanted, path, accepted }] });
}

/**
 * Refuses features that the plan does not include, naming all of them.
 * @throws Fault `feature_not_in_plan`; each detail has `feature`, `plan` (the smallest plan that includes it), and `accepted`
 */
export function requireFeature(entitlements: Entitlements, need: FeatureNeed, path = ''): void {
  requireCovered(entitlements, { features: [{ need, path }] });
}

/**
 * Like `requireFeature` and `requireWithinLimit`, for several at once. Where features are missing, amounts beyond limits
 * are details of the same fault.
 * @throws Fault `feature_not_in_plan`, `plan_limit_exceeded`
 */
export function requireCovered(
  entitlements: Entitlements,
  { features = [], amounts = [] }: { features?: readonly NeededFeature[]; amounts?: readonly NeededAmount[] },
): void {
  const missing = features.flatMap((feature) => missingFeature(entitlements, feature) ?? []);
  const exceeded = amounts.flatMap((amount) => exceededLimit(entitlements, amount) ?? []);
  const details = [...missing, ...exceeded];
  if (details.length === 0) return;
  const code = missing.length > 0 ? 'feature_not_in_plan' : 'plan_limit_exceeded';
  throw new Fault(code, details.map(({ message }) => message).join(' '), details);
}

function missingFeature(entitlements: Entitlements, { need, path, accepted }: NeededFeature): FaultDetail | null {
  if (hasFeature(entitlements.features, need)) return null;
  const plan = planWith(({ features }) => hasFeature(features, need));
  const message = `${nounOf(need)} is not in the plan ${entitlements.plan}${plan ? `; ${plan} has it` : ''}.`;
  const feature = typeof need === 'string' ? need : Object.keys(need)[0];
  return withAccepted({ path, message, feature, plan }, accepted);
}

function exceededLimit(entitlements: Entitlements, { key, wanted, path, accepted }: NeededAmount): FaultDetail | null {
  const value = entitlements.limits[key];
  if (value === null || wanted <= value) return null;
  const plan = planWith(({ limits }) => limits[key] === null || limits[key] >= wanted);
  const noun = LIMIT_NOUNS[key];
  const message = `The plan ${entitlements.plan} has ${value === 0 ? `no ${noun}` : `at most ${value} ${noun}`}${plan ? `; ${plan} has more` : ''}.`;
  return withAccepted({ path, message, limit: key, value, plan }, accepted);
}

function withAccepted(detail: FaultDetail, accepted: Accepted | undefined): FaultDetail {
  if (accepted === undefined) return detail;
  const shown = Array.isArray(accepted) ? accepted.join(', ') || 'an empty list' : String(accepted);
  return { ...detail, message: `${detail.message} Accepted: ${shown}.`, accepted };
}

/** The smallest plan that has more of something than the account has, or null. */
export function planWithMore(entitlements: Entitlements, key: LimitKey): PlanName | null {
  const value = entitlements.limits[key];
  return value === null ? null : planWith(({ limits }) => limits[key] === null || limits[key] > value);
}

function hasFeature(features: Features, need: FeatureNeed): boolean {
  if (typeof need === 'string') return features[need];
  if ('monitorType' in need) return features.monitorTypes.includes(need.monitorType);
  return features.timelineWindows.includes(need.timelineWindow);
}

function nounOf(need: FeatureNeed): string {
  if (typeof need === 'string') return SWITCH_NOUNS[need];
  return 'monitorType' in need ? `The monitor type ${need.monitorType}` : `The timeline of ${need.timelineWindow}`;
}

function planWith(fits: (plan: (typeof PLANS)[PlanName]) => boolean): PlanName | null {
  return PLAN_NAMES.find((name) => fits(PLANS[name])) ?? null;
}
