export { SEALED_MONITOR_SECRETS } from './settings/monitor-secrets.js';
export { holdChecks } from './hold-checks.js';
export { normalizeTags, tagText } from './settings/tags.js';
export { listMonitors } from './list-monitors.js';
export { purgeMonitors, type PurgeDeps } from './purge-monitors.js';
export { MONITOR_FORM } from './monitor-form.js';
export { monitorRoutes } from './monitor-routes.js';
export { type MonitorForm, type MonitorRules, type MonitorView } from './monitor-schemas.js';
export type { MonitorChange, MonitorListener } from './monitor-deps.js';
export { hashImportedToken, IMPORTED_TOKEN, PING_TOKEN, SEALED_PING_TOKENS } from './heartbeat/ping-token.js';
export type { HeartbeatSettings } from './heartbeat/heartbeat-settings-schemas.js';
export { nextDueMs } from './heartbeat/next-due.js';
export {
  type MonitorChecks,
  monitorCheckSource,
  type MonitorCheckSource,
  type RegionMonitor,
} from './checks/monitor-checks.js';
export { checkTarget } from './checks/check-target.js';
export { decideSettingsFaults } from './settings/decide-settings-faults.js';
export { overlay } from '../../platform/http/define-settings.js';
export {
  headerFaults,
  type HeaderFault,
  keptSecrets,
  SECRET_NOT_FORWARDED,
  splitHeaders,
  trimHeaderValue,
} from './settings/http-headers.js';
export { changesDestination } from './settings/changes-destination.js';
export { hostnameFaults, placeOfUrl, urlFaults } from './settings/monitor-url.js';
export { lockTargets } from './service-groups/lock-targets.js';
export { purgeServiceGroups } from './service-groups/purge-service-groups.js';
export { serviceGroupExists } from './service-groups/lock-targets.js';
export { serviceGroupRoutes } from './service-groups/service-group-routes.js';
export { pauseMonitorsOverLimit } from './pause-over-limit.js';
export { deleteMonitorsOfWorkspace } from './delete-monitors-of-workspace.js';
export { PUBLIC_OWNER, tenancyOf } from './checks/tenancy-keys.js';
export { coveredRegions } from './checks/decide-coverage.js';
export {
  dnsSettings,
  dnsSettingsInput,
  HEADER_MAPS,
  latencySettings,
  type LatencySettings,
  sslSettings,
  TYPE_SETTINGS,
  type TypeSettings,
} from './settings/type-settings-schemas.js';
export { decideNextCheck } from './checks/decide-next-check.js';
export { monitorTools } from './monitor-tools.js';
export { readMonitorName } from './read-monitor-name.js';
export { maskResults, type MaskDeps } from './secrets/mask-results.js';
export { monitorSection } from './document-section.js';
export { serviceGroupSection } from './service-groups/document-section.js';
export { countMonitors } from './count-monitors.js';
export { MONITORING_STATUSES } from './settings/general-settings-schemas.js';
