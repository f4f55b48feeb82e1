import { requireFeatures, requireWithinLimit, type Entitlements, type FeatureNeed } from '../../plans/index.js';
import type { MonitorSettings } from './monitor-settings.js';

/**
 * Refuses settings that the plan does not have. What a monitor already had before its plan became smaller
 * is not held against a change of something else.
 * @param before null: the monitor is new
 * @param setsTimeout whether the caller gave a timeout: a new monitor needs a paid plan to name even the default
 * @throws Fault feature_not_in_plan, plan_limit_exceeded
 */
export function requirePlanCovers(
  entitlements: Entitlements,
  before: MonitorSettings | null,
  after: MonitorSettings,
  setsTimeout: boolean,
): void {
  const needs: { need: FeatureNeed; path: string }[] = after.monitorTypes
    .filter((type) => !before?.monitorTypes.includes(type))
    .map((monitorType) => ({ need: { monitorType }, path: 'monitorTypes' }));
  if (setsTimeout && after.checkTimeoutMs !== before?.checkTimeoutMs)
    needs.push({ need: 'customTimeout', path: 'checkTimeout' });
  requireFeatures(entitlements, needs);
  const addsRegion = after.enabledRegions.some((region) => !before?.enabledRegions.includes(region));
  if (addsRegion) requireWithinLimit(entitlements, 'extraRegions', after.enabledRegions.length, 'enabledRegions');
}
