import type { FaultDetail } from '@watchpost/shared/fault';
import { decideSettingsFaults } from './decide-settings-faults.js';
import { keptSecrets, SECRET_NOT_FORWARDED, splitHeaders } from './http-headers.js';
import { changesDestination } from './changes-destination.js';
import type { MonitorCreateInput, MonitorUpdateInput } from './monitor-input-schemas.js';
import { DEFAULT_SETTINGS, DEFAULT_TIMEOUT_MS, type HttpSecrets, type MonitorSettings } from './monitor-settings.js';
import { hostOfUrl } from './monitor-url.js';

export interface DecidedSettings {
  settings: MonitorSettings;
  secrets: HttpSecrets;
  /** If not empty, the settings must not be stored. */
  faults: FaultDetail[];
}

/** The settings of a new monitor. */
export function decideNewSettings(input: MonitorCreateInput): DecidedSettings {
  const name = input.name ?? hostOfUrl(input.url).slice(0, 200);
  return decideChangedSettings({ ...DEFAULT_SETTINGS, name, url: input.url }, {}, input);
}

/**
 * The settings of a monitor after a change: named fields replace the former values, the others stay, also within the
 * settings by type. Lists and the map of headers are replaced as a whole.
 */
export function decideChangedSettings(
  current: MonitorSettings,
  secrets: HttpSecrets,
  input: MonitorUpdateInput,
): DecidedSettings {
  const { checkInterval, checkTimeout, reporting, http, ssl, latency, dns, tcpUdp, ...plain } = input;
  const split = http?.headers === undefined ? undefined : splitHeaders(http.headers, secrets);
  const settings: MonitorSettings = {
    ...overlay(current, plain),
    checkIntervalMs: checkInterval ?? current.checkIntervalMs,
    checkTimeoutMs: checkTimeout === undefined ? current.checkTimeoutMs : (checkTimeout ?? DEFAULT_TIMEOUT_MS),
    reporting: overlay(current.reporting, reporting),
    http: overlay(overlay(current.http, http), { headers: split?.headers }),
    ssl: overlay(current.ssl, ssl),
    latency: overlay(current.latency, latency),
    dns: overlay(current.dns, dns),
    tcpUdp: overlay(current.tcpUdp, tcpUdp),
  };
  const unknown = (split?.unknown ?? []).map((name) => ({
    path: `http.headers.${name}`,
    message: 'refers to a stored value, but none is stored: send the value itself',
  }));
  const strayed = changesDestination(current.url, settings.url) ? keptSecrets(http?.headers, secrets) : [];
  const withheld = strayed.map((name) => ({ path: `http.headers.${name}`, message: SECRET_NOT_FORWARDED }));
  return {
    settings,
    secrets: split?.secrets ?? secrets,
    faults: [...unknown, ...withheld, ...decideSettingsFaults(settings)],
  };
}

/** `base` with the defined values of `over`. */
function overlay<T extends object>(base: T, over: { [Key in keyof T]?: T[Key] | undefined } | undefined): T {
  const result = { ...base };
  for (const key of Object.keys(over ?? {}) as (keyof T)[]) {
    const value = over![key];
    if (value !== undefined) result[key] = value;
  }
  return result;
}
