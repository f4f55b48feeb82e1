import { isDeepStrictEqual } from 'node:util';
import { checkKindsOf } from '@watchpost/shared/check';
import { checkTarget } from './check-target.js';
import type { MonitorSecrets, MonitorSettings } from '../settings/monitor-settings.js';

export interface ComparableSettings {
  settings: MonitorSettings;
  secrets: MonitorSecrets;
}

/**
 * Whether a change requires a check at once: it affects something that a check depends on, which is what agents get, or
 * enables the monitor. Names, thresholds of the verdict and reports do not, nor do settings of types that the monitor does not
 * have, nor changes of a monitor that is not checked.
 */
export function decideChecksChanged(before: ComparableSettings, after: ComparableSettings): boolean {
  if (after.settings.monitoringStatus !== 'enabled') return false;
  return !isDeepStrictEqual(whatChecksDependOn(before), whatChecksDependOn(after));
}

function whatChecksDependOn({ settings, secrets }: ComparableSettings): unknown {
  const { url, monitorTypes, enabledRegions, homeRegion, privateLocations, checkIntervalMs, checkTimeoutMs } = settings;
  return {
    isEnabled: settings.monitoringStatus === 'enabled',
    url,
    types: monitorTypes.toSorted(),
    regions: enabledRegions.toSorted(),
    homeRegion,
    privateLocations,
    intervalMs: checkIntervalMs,
    timeoutMs: checkTimeoutMs,
    targets: checkKindsOf(monitorTypes).map((kind) => checkTarget(kind, url, settings, () => secrets)),
    heartbeat: settings.heartbeat,
  };
}
