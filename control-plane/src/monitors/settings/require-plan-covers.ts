import { formatDuration } from '@watchpost/shared/duration';
import { type Entitlements, hasFeature, type NeededFeature, requireCovered } from '../../plans/index.js';
import { coveredRegions } from '../checks/decide-coverage.js';
import type { MonitorUpdateInput } from './monitor-input-schemas.js';
import { DEFAULT_TIMEOUT_MS, type MonitorSettings } from './monitor-settings.js';

/** The settings that a plan limits, as far as a request names them. */
type NamedSettings = Pick<MonitorUpdateInput, 'monitorTypes' | 'enabledRegions' | 'checkTimeout'>;

/**
 * Refuses settings that a request names and the plan does not cover, whether or not the monitor already has them.
 * Settings that a request does not name are kept after a downgrade, and no reason to refuse it.
 * @param isNew a new monitor names a timeout, even the default, only on a paid plan
 * @throws Fault `feature_not_in_plan`, `plan_limit_exceeded`; each detail names a value that would be accepted
 */
export function requirePlanCovers(
  entitlements: Entitlements,
  named: NamedSettings,
  after: MonitorSettings,
  { isNew }: { isNew: boolean },
): void {
  const { monitorTypes, enabledRegions } = after;
  const features: NeededFeature[] = [];
  if (named.monitorTypes !== undefined) {
    const covered = monitorTypes.filter((monitorType) => hasFeature(entitlements.features, { monitorType }));
    const accepted = covered.length > 0 ? covered : entitlements.features.monitorTypes;
    features.push(...monitorTypes.map((monitorType) => ({ need: { monitorType }, path: 'monitorTypes', accepted })));
  }
  if (typeof named.checkTimeout === 'number' && (isNew || named.checkTimeout !== DEFAULT_TIMEOUT_MS)) {
    const accepted = isNew ? null : formatDuration(DEFAULT_TIMEOUT_MS);
    features.push({ need: 'customTimeout', path: 'checkTimeout', accepted });
  }
  const accepted = coveredRegions(enabledRegions, entitlements);
  const regions = { key: 'extraRegions', wanted: enabledRegions.length, path: 'enabledRegions', accepted } as const;
  requireCovered(entitlements, { features, amounts: named.enabledRegions === undefined ? [] : [regions] });
}
