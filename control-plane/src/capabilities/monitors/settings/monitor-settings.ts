import type { z } from 'zod';
import type { HeartbeatSettings } from '../heartbeat/heartbeat-settings-schemas.js';
import { overlay } from '../../../platform/http/define-settings.js';
import { type GeneralSettings, generalSettings, reportingSettings } from './general-settings-schemas.js';
import { TYPE_SETTINGS } from './type-settings-schemas.js';

/** The settings in groups, by their field: of reports, and of the types. Every monitor has all of them, whatever its types are. */
export const GROUPED_SETTINGS = { reporting: reportingSettings, ...TYPE_SETTINGS } as const;
export type GroupedSettings = {
  [Group in keyof typeof GROUPED_SETTINGS]: z.output<(typeof GROUPED_SETTINGS)[Group]['schema']>;
};

/** All settings of a monitor. Secrets are masked; `MonitorSecrets` contains them. */
export interface MonitorSettings extends GeneralSettings, GroupedSettings {
  /** Null for every other type. */
  heartbeat: HeartbeatSettings | null;
}

/** Secrets by lower-case name, by the path of their setting: `http.headers`. Settings without any are left out. */
export type MonitorSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

const GROUPS = Object.keys(GROUPED_SETTINGS) as (keyof GroupedSettings)[];

type SomeGroupedSettings = {
  readonly [Group in keyof GroupedSettings]?:
    | { [Name in keyof GroupedSettings[Group]]?: GroupedSettings[Group][Name] | undefined }
    | undefined;
};

export function groupsOf(settings: GroupedSettings): GroupedSettings {
  return Object.fromEntries(GROUPS.map((group) => [group, settings[group]])) as unknown as GroupedSettings;
}

/** The settings in groups with those of `over`, field by field; the default of what neither has. */
export function changedGroups(stored: SomeGroupedSettings, over: SomeGroupedSettings = {}): GroupedSettings {
  const changed = GROUPS.map((group) => {
    const complete = overlay<object>(GROUPED_SETTINGS[group].defaults, stored[group]);
    return [group, overlay(complete, over[group])];
  });
  return Object.fromEntries(changed) as GroupedSettings;
}

/** The settings that a new monitor has unless they are named. */
export const DEFAULT_SETTINGS: Omit<MonitorSettings, 'name' | 'url'> = {
  ...generalSettings.defaults,
  ...changedGroups({}),
  heartbeat: null,
};
