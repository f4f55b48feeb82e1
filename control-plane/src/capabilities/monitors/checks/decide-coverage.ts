import type { MonitorType } from '@watchpost/shared/check';
import type { ExtraRegion, Region } from '@watchpost/shared/region';
import type { Entitlements } from '../../plans/index.js';
import { DEFAULT_TIMEOUT_MS, type MonitorSettings } from '../settings/monitor-settings.js';

/** What of a monitor's settings the plan covers, and so is run. */
export interface Coverage {
  monitorTypes: MonitorType[];
  /** Beyond the home region. */
  extraRegions: ExtraRegion[];
  checkTimeoutMs: number;
  /** What is kept and not run, for callers: names of types and regions, and `checkTimeout`. */
  restricted: string[];
}

/** The regions beyond the home region that are run: the first ones, as many as the plan has. */
export function coveredRegions<Name extends Region>(
  enabledRegions: readonly Name[],
  { limits }: Pick<Entitlements, 'limits'>,
): Name[] {
  return enabledRegions.slice(0, limits.extraRegions ?? enabledRegions.length);
}

/** A plan that became smaller keeps the settings; of the regions it runs the first ones. */
export function decideCoverage(
  settings: Pick<MonitorSettings, 'monitorTypes' | 'enabledRegions' | 'checkTimeoutMs'>,
  entitlements: Pick<Entitlements, 'features' | 'limits'>,
): Coverage {
  const { features } = entitlements;
  const isCovered = (type: MonitorType) => features.monitorTypes.includes(type);
  const extraRegions = coveredRegions(settings.enabledRegions, entitlements);
  const timeoutCovered = features.customTimeout || settings.checkTimeoutMs === DEFAULT_TIMEOUT_MS;
  return {
    monitorTypes: settings.monitorTypes.filter(isCovered),
    extraRegions,
    checkTimeoutMs: timeoutCovered ? settings.checkTimeoutMs : DEFAULT_TIMEOUT_MS,
    restricted: [
      ...settings.monitorTypes.filter((type) => !isCovered(type)),
      ...settings.enabledRegions.slice(extraRegions.length),
      ...(timeoutCovered ? [] : ['checkTimeout']),
    ],
  };
}
