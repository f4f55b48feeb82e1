import type { MonitorType } from '@watchpost/shared/monitor-types';
import { checkedFrom, type ExtraRegion, type Place, type Region, regionOfCode } from '@watchpost/shared/region';
import type { Entitlements } from '../../plans/index.js';
import { DEFAULT_SETTINGS, type MonitorSettings } from '../settings/monitor-settings.js';

/** The settings of a monitor that the plan covers and that are therefore in force. */
export interface Coverage {
  monitorTypes: MonitorType[];
  /** Beyond the home region. */
  extraRegions: ExtraRegion[];
  checkTimeoutMs: number;
  /** Stored settings that are not in force: names of types and regions, and `checkTimeout`. */
  restricted: string[];
}

/** The regions beyond the home region that are in force: the first ones, as many as the plan includes. */
export function coveredRegions<Name extends Region>(
  enabledRegions: readonly Name[],
  { limits }: Pick<Entitlements, 'limits'>,
): Name[] {
  return enabledRegions.slice(0, limits.extraRegions ?? enabledRegions.length);
}

export interface MonitorLocation {
  id: string;
  code: number;
}

/** The places that check a monitor: as the fleet names them, and as results do. */
export function placesOf(
  homeRegion: boolean,
  extraRegions: readonly ExtraRegion[],
  locations: readonly MonitorLocation[] | null,
): { place: Place; region: Region }[] {
  return [
    ...checkedFrom(homeRegion, extraRegions, []).map((region) => ({ place: region, region })),
    ...(locations ?? []).map(({ id, code }) => ({ place: id, region: regionOfCode(code) })),
  ];
}

/** After a change to a smaller plan the settings are kept, and the first regions stay in force. */
export function decideCoverage(
  settings: Pick<MonitorSettings, 'monitorTypes' | 'enabledRegions' | 'checkTimeoutMs'>,
  entitlements: Pick<Entitlements, 'features' | 'limits'>,
): Coverage {
  const { features } = entitlements;
  const isCovered = (type: MonitorType) => features.monitorTypes.includes(type);
  const extraRegions = coveredRegions(settings.enabledRegions, entitlements);
  const timeoutCovered = features.customTimeout || settings.checkTimeoutMs === DEFAULT_SETTINGS.checkTimeoutMs;
  return {
    monitorTypes: settings.monitorTypes.filter(isCovered),
    extraRegions,
    checkTimeoutMs: timeoutCovered ? settings.checkTimeoutMs : DEFAULT_SETTINGS.checkTimeoutMs,
    restricted: [
      ...settings.monitorTypes.filter((type) => !isCovered(type)),
      ...settings.enabledRegions.slice(extraRegions.length),
      ...(timeoutCovered ? [] : ['checkTimeout']),
    ],
  };
}
