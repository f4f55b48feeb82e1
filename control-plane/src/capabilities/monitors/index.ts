export { SEALED_MONITOR_COLUMNS } from './sealed-columns.js';
export { holdChecks } from './hold-checks.js';
export { tagList } from './settings/tags.js';
export { listMonitors } from './list-monitors.js';
export { monitorJobs } from './monitor-jobs.js';
export { MONITOR_FORM } from './monitor-form.js';
export { monitorRoutes } from './monitor-routes.js';
export type { MonitorRules } from './monitor-schemas.js';
export type { MonitorChange, MonitorListener } from './monitor-deps.js';
export { readImportedToken, readPingToken } from './heartbeat/ping-token.js';
export type { HeartbeatSettings } from './heartbeat/heartbeat-settings-schemas.js';
export { nextDueMs } from './heartbeat/next-due.js';
export {
  type MonitorChecks,
  monitorCheckSource,
  type MonitorCheckSource,
  type RegionMonitor,
} from './checks/monitor-checks.js';
export { MAX_ONE_OFF_MS, type OneOffCheck, oneOffInputs } from './checks/one-off-inputs.js';
export { urlFaults } from './settings/monitor-url.js';
export { lockTargets } from './service-groups/lock-targets.js';
export { pauseMonitorsOverLimit } from './pause-over-limit.js';
export { deleteMonitorsOfWorkspace } from './delete-monitors-of-workspace.js';
export { tenancyOf } from './checks/tenancy-keys.js';
export { coveredRegions } from './checks/decide-coverage.js';
export {
  domainSettings,
  latencySettings,
  type LatencySettings,
  sslSettings,
} from './settings/type-settings-schemas.js';
export { NAMES_WITH_SECRETS } from './settings/secret-places.js';
export { decideNextCheck } from './checks/decide-next-check.js';
export { monitorTools } from './monitor-tools.js';
export { readMonitorName } from './read-monitor-name.js';
export { maskResults } from './secrets/mask-results.js';
export { monitorSection } from './document-section.js';
export { serviceGroupSection } from './service-groups/document-section.js';
export { countMonitors } from './count-monitors.js';
export { monitorsAtLocation } from './monitors-at-location.js';
