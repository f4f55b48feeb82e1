import type { FaultDetail } from '@watchpost/shared/fault';
import { decideSettingsFaults } from './decide-settings-faults.js';
import { keptSecrets, SECRET_STAYS, splitHeaders } from './http-headers.js';
import { leadsElsewhere } from './leads-elsewhere.js';
import type { MonitorCreateInput, MonitorUpdateInput } from './monitor-input-schemas.js';
import { DEFAULT_SETTINGS, DEFAULT_TIMEOUT_MS, type HttpSecrets, type MonitorSettings } from './monitor-settings.js';
import { hostOfUrl } from './monitor-url.js';

export interface DecidedSettings {
  settings: MonitorSettings;
  secrets: HttpSecrets;
  /** Empty, or the settings must not be kept. */
  faults: FaultDetail[];
}

/** The settings of a new monitor. */
export function decideNewSettings(input: MonitorCreateInput): DecidedSettings {
  const name = input.name ?? hostOfUrl(input.url).slice(0, 200);
  return decideChangedSettings({ ...DEFAULT_SETTINGS, name, url: input.url }, {}, input);
}

/**
 * What a monitor is after a change: fields that are named replace, others stay, and the settings by type
 * do so field by field. Lists and the map of headers are replaced as a whole.
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
    message: 'stands for a stored value, and none is stored: give the value itself',
  }));
  const strayed = leadsElsewhere(current.url, settings.url) ? keptSecrets(http?.headers, secrets) : [];
  const withheld = strayed.map((name) => ({ path: `http.headers.${name}`, message: SECRET_STAYS }));
  return {
    settings,
    secrets: split?.secrets ?? secrets,
    faults: [...unknown, ...withheld, ...decideSettingsFaults(settings)],
  };
}

/** `over` laid on `base`; what is undefined in it stays. */
function overlay<T extends object>(base: T, over: { [Key in keyof T]?: T[Key] | undefined } | undefined): T {
  const result = { ...base };
  for (const key of Object.keys(over ?? {}) as (keyof T)[]) {
    const value = over![key];
    if (value !== undefined) result[key] = value;
  }
  return result;
}
