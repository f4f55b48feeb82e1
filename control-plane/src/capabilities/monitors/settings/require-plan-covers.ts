import { formatDuration } from '@watchpost/shared/duration';
import { type Entitlements, hasFeature, type NeededFeature, requireCovered } from '../../plans/index.js';
import { coveredRegions } from '../checks/decide-coverage.js';
import type { MonitorUpdateInput } from './monitor-input-schemas.js';
import { DEFAULT_TIMEOUT_MS } from './monitor-settings.js';

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
  { monitorTypes, enabledRegions, checkTimeout }: NamedSettings,
  { isNew }: { isNew: boolean },
): void {
  const features: NeededFeature[] = [];
  if (monitorTypes !== undefined) {
    const covered = monitorTypes.filter((monitorType) => hasFeature(entitlements.features, { monitorType }));
    const accepted = covered.length > 0 ? covered : entitlements.features.monitorTypes;
    features.push(...monitorTypes.map((monitorType) => ({ need: { monitorType }, path: 'monitorTypes', accepted })));
  }
  if (typeof checkTimeout === 'number' && (isNew || checkTimeout !== DEFAULT_TIMEOUT_MS)) {
    const accepted = isNew ? null : formatDuration(DEFAULT_TIMEOUT_MS);
    features.push({ need: 'customTimeout', path: 'checkTimeout', accepted });
  }
  const accepted = coveredRegions(enabledRegions ?? [], entitlements);
  const wanted = enabledRegions?.length ?? 0;
  requireCovered(entitlements, {
    features,
    amounts: [{ key: 'extraRegions', wanted, path: 'enabledRegions', accepted }],
  });
}
