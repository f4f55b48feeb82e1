export { createMonitor } from './create-monitor.js';
export { updateMonitor } from './update-monitor.js';
export { deleteMonitor } from './delete-monitor.js';
export { getMonitor } from './get-monitor.js';
export { listMonitors } from './list-monitors.js';
export { purgeMonitors } from './purge-monitors.js';
export { monitorRoutes } from './monitor-routes.js';
export { monitorListQuery, monitorSchema, type MonitorRules, type MonitorView } from './monitor-schemas.js';
export type { MonitorChange, MonitorListener } from './monitor-change.js';
export type { MonitorDeps, MonitorReadDeps } from './monitor-deps.js';
export {
  allMonitorChecks,
  changedMonitorChecks,
  monitorChecks,
  type MonitorChecks,
  type MonitorChecksDeps,
} from './monitor-checks.js';
export { checkKindsOf } from './check-kinds.js';
export { decideSettingsFaults } from './decide-settings-faults.js';
export { parseExpectedStatus } from './expected-status.js';
export { DEFAULT_HTTP, httpSettingsInput, type HttpSettings } from './http-settings-schemas.js';
export { headerFaults, type HeaderFault, MASK } from './http-headers.js';
export { urlFaults } from './monitor-url.js';
export { serviceGroupExists } from './service-groups/service-group-exists.js';
export { pauseMonitorsOverLimit } from './pause-over-limit.js';
export { deleteMonitorsOfWorkspace } from './delete-monitors-of-workspace.js';
