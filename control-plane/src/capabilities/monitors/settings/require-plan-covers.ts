import { formatDuration } from '@watchpost/shared/duration';
import { type Entitlements, type NeededFeature, requireCovered } from '../../plans/index.js';
import { coveredRegions } from '../checks/decide-coverage.js';
import type { MonitorUpdateInput } from './monitor-input-schemas.js';
import { DEFAULT_SETTINGS } from './monitor-settings.js';

type NamedSettings = Pick<MonitorUpdateInput, 'monitorTypes' | 'enabledRegions' | 'checkTimeout'>;

/**
 * Refuses settings that a request names and the plan does not cover, also where the monitor already has them. Settings that
 * a request does not name are kept after a downgrade and do not matter.
 * @param isNew whether the monitor is new; only paid plans may name the timeout of a new one, even the default
 * @throws Fault `feature_not_in_plan`, `plan_limit_exceeded`; each detail names a value that would be accepted
 */
export function requirePlanCovers(
  entitlements: Entitlements,
  { monitorTypes, enabledRegions, checkTimeout }: NamedSettings,
  { isNew }: { isNew: boolean },
): void {
  const features: NeededFeature[] = [];
  if (monitorTypes !== undefined) {
    const covered = monitorTypes.filter((type) => entitlements.features.monitorTypes.includes(type));
    const accepted = covered.length > 0 ? covered : entitlements.features.monitorTypes;
    features.push(...monitorTypes.map((monitorType) => ({ need: { monitorType }, path: 'monitorTypes', accepted })));
  }
  if (typeof checkTimeout === 'number' && (isNew || checkTimeout !== DEFAULT_SETTINGS.checkTimeoutMs)) {
    const accepted = isNew ? null : formatDuration(DEFAULT_SETTINGS.checkTimeoutMs);
    features.push({ need: 'customTimeout', path: 'checkTimeout', accepted });
  }
  const accepted = coveredRegions(enabledRegions ?? [], entitlements);
  const wanted = enabledRegions?.length ?? 0;
  requireCovered(entitlements, {
    features,
    amounts: [{ key: 'extraRegions', wanted, path: 'enabledRegions', accepted }],
  });
}
