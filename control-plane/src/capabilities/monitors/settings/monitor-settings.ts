import type { MonitorType } from '@watchpost/shared/monitor-types';
import type { ExtraRegion } from '@watchpost/shared/region';
import type { HeartbeatSettings } from '../heartbeat/heartbeat-settings-schemas.js';
import { overlay } from './define-settings.js';
import { TYPE_SETTINGS, type TypeSettings } from './type-settings-schemas.js';

export const MONITORING_STATUSES = ['enabled', 'disabled', 'paused'] as const;
export type MonitoringStatus = (typeof MONITORING_STATUSES)[number];

export interface Reporting {
  dailyReport: boolean;
  weeklyReport: boolean;
  monthlyReport: boolean;
}

/** All settings of a monitor. Values of secret headers are masked in `http`; `HttpSecrets` contains them. */
export interface MonitorSettings extends TypeSettings {
  name: string;
  /** Null for a heartbeat, which is not checked: the job reports. */
  url: string | null;
  monitorTypes: MonitorType[];
  monitoringStatus: MonitoringStatus;
  checkIntervalMs: number;
  checkTimeoutMs: number;
  numberOfChecksBeforeAlert: number;
  numberOfChecksBeforeRecovery: number;
  enabledRegions: ExtraRegion[];
  serviceGroupId: string | null;
  /** Normalized: see `normalizeTags`. */
  tags: string[];
  reporting: Reporting;
  /** Null for every other type. */
  heartbeat: HeartbeatSettings | null;
  /** Ids of the monitors whose outage explains a failure of this one. In the order of ids. */
  dependsOn: string[];
}

/** Values of secret headers, by lower-case name. */
export type HttpSecrets = Readonly<Record<string, string>>;

export const DEFAULT_TIMEOUT_MS = 30_000;

const TYPE_FIELDS = Object.keys(TYPE_SETTINGS) as (keyof TypeSettings)[];

/** Only the settings by type. */
export function typeSettingsOf(settings: TypeSettings): TypeSettings {
  return Object.fromEntries(TYPE_FIELDS.map((field) => [field, settings[field]])) as unknown as TypeSettings;
}

type SomeTypeSettings = {
  readonly [Field in keyof TypeSettings]?:
    | { [Name in keyof TypeSettings[Field]]?: TypeSettings[Field][Name] | undefined }
    | undefined;
};

/** The settings by type with those of `over`, field by field; the default of what neither has. */
export function changedTypeSettings(stored: SomeTypeSettings, over: SomeTypeSettings = {}): TypeSettings {
  const changed = TYPE_FIELDS.map((field) => {
    const complete = overlay<object>(TYPE_SETTINGS[field].defaults, stored[field]);
    return [field, overlay(complete, over[field])];
  });
  return Object.fromEntries(changed) as TypeSettings;
}

export const DEFAULT_SETTINGS: Omit<MonitorSettings, 'name' | 'url'> = {
  monitorTypes: ['HttpAvailability'],
  monitoringStatus: 'enabled',
  checkIntervalMs: 300_000,
  checkTimeoutMs: DEFAULT_TIMEOUT_MS,
  numberOfChecksBeforeAlert: 2,
  numberOfChecksBeforeRecovery: 1,
  enabledRegions: [],
  serviceGroupId: null,
  tags: [],
  reporting: { dailyReport: false, weeklyReport: false, monthlyReport: false },
  ...changedTypeSettings({}, {}),
  heartbeat: null,
  dependsOn: [],
};
