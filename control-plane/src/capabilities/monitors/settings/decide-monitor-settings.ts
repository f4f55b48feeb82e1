import type { FaultDetail } from '@watchpost/shared/fault';
import { factsOf, MONITOR_TYPES, type MonitorType } from '@watchpost/shared/monitor-types';
import { decideHeartbeatSettings } from '../heartbeat/decide-heartbeat-settings.js';
import { decideSettingsFaults } from './decide-settings-faults.js';
import { decideSecrets } from './decide-secrets.js';
import type { MonitorCreateInput, MonitorUpdateInput } from './monitor-input-schemas.js';
import { overlay } from '../../../platform/http/define-settings.js';
import { type GeneralSettings, generalSettings } from './general-settings-schemas.js';
import { changedGroups, DEFAULT_SETTINGS, type MonitorSecrets, type MonitorSettings } from './monitor-settings.js';
import { domainOfUrl, hostOfUrl } from './monitor-url.js';

export interface DecidedSettings {
  settings: MonitorSettings;
  secrets: MonitorSecrets;
  /** If not empty, the settings must not be stored. */
  faults: FaultDetail[];
}

/**
 * The settings of a new monitor.
 * @param workspaceZone the time zone of schedules that name none
 */
export function decideNewSettings(input: MonitorCreateInput, workspaceZone = 'UTC'): DecidedSettings {
  const url = input.url ?? null;
  const name = input.name ?? (url === null ? '' : hostOfUrl(url).slice(0, 200));
  const monitorTypes = input.monitorTypes ?? DEFAULT_SETTINGS.monitorTypes;
  return decideChangedSettings({ ...DEFAULT_SETTINGS, monitorTypes, name, url }, {}, input, workspaceZone);
}

/**
 * The settings of a monitor after a change: named fields replace the former values, the others stay, also within the
 * settings by type. Lists and the map of headers are replaced as a whole.
 */
export function decideChangedSettings(
  current: MonitorSettings,
  stored: MonitorSecrets,
  input: MonitorUpdateInput,
  workspaceZone = 'UTC',
): DecidedSettings {
  const { heartbeat } = input;
  const isHeartbeat = current.monitorTypes.includes('Heartbeat');
  const rhythm = isHeartbeat ? decideHeartbeatSettings(current.heartbeat, heartbeat ?? {}, workspaceZone) : null;
  const given: MonitorSettings = {
    ...overlay<GeneralSettings>(current, namedSettings(input)),
    ...changedGroups(current, input),
    heartbeat: rhythm?.settings ?? null,
  };
  // Monitors of one domain share what is known of it by this name.
  if (given.monitorTypes.includes('Domain') && given.url !== null) given.url = domainOfUrl(given.url) ?? given.url;
  const { settings, whole, secrets, faults } = decideSecrets(given, current, stored);
  const { checkTimeoutMs: checkTimeout } = settings;
  return {
    settings,
    secrets,
    faults: [
      ...faults,
      ...(rhythm?.faults ?? []),
      ...UNCHECKED.flatMap((type) =>
        settings.monitorTypes.includes(type) === current.monitorTypes.includes(type) ? [] : [typeStays(type)],
      ),
      ...decideSettingsFaults({ ...whole, checkTimeout, heartbeat: heartbeat ?? settings.heartbeat }),
    ],
  };
}

export function namedSettings(input: Partial<MonitorUpdateInput>): Partial<GeneralSettings> {
  const general = generalSettings.named(input);
  if (input.checkTimeout === null) general.checkTimeoutMs = DEFAULT_SETTINGS.checkTimeoutMs;
  return general;
}

/** The types without checks: monitors of the others have a history of these. */
const UNCHECKED = MONITOR_TYPES.filter((type) => factsOf(type).kind === null);

function typeStays(type: MonitorType): FaultDetail {
  return {
    path: 'monitorTypes',
    message: `cannot change from or to ${type}: create another monitor for that`,
  };
}
