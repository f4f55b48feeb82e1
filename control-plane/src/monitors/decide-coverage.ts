import type { MonitorType } from '@watchpost/shared/check';
import type { ExtraRegion } from '@watchpost/shared/region';
import type { Entitlements } from '../plans/index.js';
import { DEFAULT_TIMEOUT_MS, type MonitorSettings } from './monitor-settings.js';

/** What of a monitor's settings the plan covers, and so is run. */
export interface Coverage {
  monitorTypes: MonitorType[];
  /** Beyond the home region. */
  extraRegions: ExtraRegion[];
  checkTimeoutMs: number;
  /** What is kept and not run, for callers: names of types and regions, and `checkTimeout`. */
  restricted: string[];
}

/** A plan that became smaller keeps the settings; of the regions it runs the first ones. */
export function decideCoverage(
  settings: Pick<MonitorSettings, 'monitorTypes' | 'enabledRegions' | 'checkTimeoutMs'>,
  { features, limits }: Pick<Entitlements, 'features' | 'limits'>,
): Coverage {
  const isCovered = (type: MonitorType) => features.monitorTypes.includes(type);
  const allowance = limits.extraRegions ?? Infinity;
  const timeoutCovered = features.customTimeout || settings.checkTimeoutMs === DEFAULT_TIMEOUT_MS;
  return {
    monitorTypes: settings.monitorTypes.filter(isCovered),
    extraRegions: settings.enabledRegions.filter((_, index) => index < allowance),
    checkTimeoutMs: timeoutCovered ? settings.checkTimeoutMs : DEFAULT_TIMEOUT_MS,
    restricted: [
      ...settings.monitorTypes.filter((type) => !isCovered(type)),
      ...settings.enabledRegions.filter((_, index) => index >= allowance),
      ...(timeoutCovered ? [] : ['checkTimeout']),
    ],
  };
}
