import { isDeepStrictEqual } from 'node:util';
import type { HttpSecrets, MonitorSettings } from '../settings/monitor-settings.js';

export interface ComparableSettings {
  settings: MonitorSettings;
  secrets: HttpSecrets;
}

/**
 * Whether a change calls for a check at once: something that a check depends on is another now, or a
 * monitor was enabled. Names, thresholds of the verdict and reports do not; nor does what is only stored
 * for a type that the monitor does not have, or any change of one that is not checked.
 */
export function decideChecksChanged(before: ComparableSettings, after: ComparableSettings): boolean {
  if (after.settings.monitoringStatus !== 'enabled') return false;
  return !isDeepStrictEqual(whatChecksDependOn(before), whatChecksDependOn(after));
}

function whatChecksDependOn({ settings, secrets }: ComparableSettings): unknown {
  const types = settings.monitorTypes;
  const isHttp = types.includes('HttpAvailability') || types.includes('Latency');
  return {
    isEnabled: settings.monitoringStatus === 'enabled',
    url: settings.url,
    types: types.toSorted(),
    regions: settings.enabledRegions.toSorted(),
    intervalMs: settings.checkIntervalMs,
    timeoutMs: settings.checkTimeoutMs,
    http: isHttp ? { ...settings.http, secrets: { ...secrets } } : null,
    // of certificates, the agent judges from when on one expires too soon; being told of it is judged later
    ssl: types.includes('SslCertificate') ? settings.ssl.incidentDays : null,
    dns: types.includes('Dns') ? settings.dns : null,
    tcpUdp: types.includes('TcpUdp') ? settings.tcpUdp : null,
  };
}
