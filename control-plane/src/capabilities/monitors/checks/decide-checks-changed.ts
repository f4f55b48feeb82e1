import { isDeepStrictEqual } from 'node:util';
import type { HttpSecrets, MonitorSettings } from '../settings/monitor-settings.js';

export interface ComparableSettings {
  settings: MonitorSettings;
  secrets: HttpSecrets;
}

/**
 * Whether a change requires a check at once: it affects something that a check depends on, or enables the monitor. Names,
 * thresholds of the verdict and reports do not, nor do settings of types that the monitor does not have, nor changes of a
 * monitor that is not checked.
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
    // The agent judges when a certificate expires too soon; the thresholds of notifications are judged later.
    ssl: types.includes('SslCertificate') && { incidentDays: settings.ssl.incidentDays },
    dns: types.includes('Dns') ? settings.dns : null,
    tcpUdp: types.includes('TcpUdp') ? settings.tcpUdp : null,
    heartbeat: settings.heartbeat,
  };
}
