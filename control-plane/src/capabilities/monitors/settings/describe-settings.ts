import { formatDuration } from '@watchpost/shared/duration';
import { maskHeaders } from './http-headers.js';
import { type MonitorSettings, typeSettingsOf } from './monitor-settings.js';

const durationOrNull = (ms: number | null) => (ms === null ? null : formatDuration(ms));

/** The settings of a monitor as they are answered. */
export function describeSettings(row: MonitorSettings) {
  return {
    name: row.name,
    url: row.url,
    monitoringStatus: row.monitoringStatus,
    monitorTypes: row.monitorTypes,
    checkInterval: formatDuration(row.checkIntervalMs),
    checkTimeout: formatDuration(row.checkTimeoutMs),
    numberOfChecksBeforeAlert: row.numberOfChecksBeforeAlert,
    numberOfChecksBeforeRecovery: row.numberOfChecksBeforeRecovery,
    enabledRegions: row.enabledRegions,
    serviceGroupId: row.serviceGroupId,
    tags: row.tags,
    reporting: row.reporting,
    ...typeSettingsOf(row),
    http: { ...row.http, headers: maskHeaders(row.http.headers) },
    heartbeat: row.heartbeat && {
      every: durationOrNull(row.heartbeat.everyMs),
      cron: row.heartbeat.cron,
      timezone: row.heartbeat.timezone,
      grace: formatDuration(row.heartbeat.graceMs),
      maxRuntime: durationOrNull(row.heartbeat.maxRuntimeMs),
    },
    dependsOn: row.dependsOn,
  };
}
