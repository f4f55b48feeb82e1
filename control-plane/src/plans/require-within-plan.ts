import type { MonitorType } from '@watchpost/shared/check';
import { Fault, type FaultDetail } from '@watchpost/shared/fault';
import type { Entitlements } from './entitlements.js';
import { PLAN_NAMES, PLANS, type Features, type LimitKey, type PlanName, type TimelineWindow } from './plans.js';

type Switch = { [Key in keyof Features]: Features[Key] extends boolean ? Key : never }[keyof Features];

/** Something that a plan has or has not. */
export type FeatureNeed = Switch | { monitorType: MonitorType } | { timelineWindow: TimelineWindow };

const LIMIT_NOUNS: Readonly<Record<LimitKey, string>> = {
  monitors: 'monitors',
  extraRegions: 'extra regions for a monitor',
  emailGroups: 'email groups',
  slackGroups: 'Slack groups',
  msTeamsGroups: 'Microsoft Teams groups',
  smsGroups: 'SMS groups',
  webhookGroups: 'webhook groups',
  teams: 'teams',
};

const SWITCH_NOUNS: Readonly<Record<Switch, string>> = {
  customTimeout: 'A custom check timeout',
  rotations: 'An on-call rotation',
  mcpRead: 'Reading over MCP',
  mcpWrite: 'Changing data over MCP',
  banner: 'A status page banner',
};

/**
 * Refuses what would be more than the limit. Count in the transaction that took
 * `lockWorkspaceEntitlements`, else two requests at once can pass together.
 * @param wanted how many there would be afterwards
 * @param path the field at fault, `''` where the request as a whole is
 * @throws Fault `plan_limit_exceeded`; its detail has `limit`, `value` and `plan`, the least plan that has enough (null: none)
 */
export function requireWithinLimit(entitlements: Entitlements, key: LimitKey, wanted: number, path = ''): void {
  const value = entitlements.limits[key];
  if (value === null || wanted <= value) return;
  const plan = planWith(({ limits }) => limits[key] === null || limits[key] >= wanted);
  const noun = LIMIT_NOUNS[key];
  const message = `The plan ${entitlements.plan} has ${value === 0 ? `no ${noun}` : `at most ${value} ${noun}`}${plan ? `; ${plan} has more` : ''}.`;
  throw new Fault('plan_limit_exceeded', message, [{ path, message, limit: key, value, plan }]);
}

/**
 * Refuses what the plan does not have, naming everything that is missing at once.
 * @throws Fault `feature_not_in_plan`; each detail has `feature` and `plan`, the least plan that has it
 */
export function requireFeature(entitlements: Entitlements, need: FeatureNeed, path = ''): void {
  requireFeatures(entitlements, [{ need, path }]);
}

/** As `requireFeature`, for several at once. */
export function requireFeatures(
  entitlements: Entitlements,
  needs: readonly { need: FeatureNeed; path: string }[],
): void {
  const details: FaultDetail[] = [];
  for (const { need, path } of needs) {
    if (hasFeature(entitlements.features, need)) continue;
    const plan = planWith(({ features }) => hasFeature(features, need));
    const message = `${nounOf(need)} is not in the plan ${entitlements.plan}${plan ? `; ${plan} has it` : ''}.`;
    details.push({ path, message, feature: typeof need === 'string' ? need : Object.keys(need)[0], plan });
  }
  if (details.length > 0)
    throw new Fault('feature_not_in_plan', details.map(({ message }) => message).join(' '), details);
}

export function hasFeature(features: Features, need: FeatureNeed): boolean {
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
