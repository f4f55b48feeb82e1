export { windowSection } from './document-section.js';
export { coveredMonitors } from './covered-monitors.js';
export { erasePeriods } from './erase-periods.js';
export type { MaintenanceDeps } from './maintenance-deps.js';
export { maintenanceRoutes } from './maintenance-routes.js';
export { maintenanceTools } from './maintenance-tools.js';
export { extendWindows } from './schedule-occurrences.js';
export { coverageMonitorListener, followWindows, IS_MAINTENANCE_DUE } from './update-periods.js';
export { readCoveredTime } from './read-covered-time.js';
