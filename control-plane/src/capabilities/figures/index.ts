export { readWorkspaceDay } from './days/read-workspace-day.js';
export { refreshDays } from './days/refresh-days.js';
export { eraseResults } from './erase-results.js';
export { packResults } from './packing/pack-results.js';
export { PackingMetrics } from './packing/packing-metrics.js';
export {
  alignTimeline,
  coarsenTimeline,
  decideTimeline,
  decideUptime,
  mergeTimelines,
  type RegionSpan,
  type TimelineSpan,
  type TimelineStatus,
  coverTimeline,
} from './reading/decide-timeline.js';
export { readAvailability, type ReportDeps } from './reading/read-availability.js';
export {
  continueSpans,
  minutesOutside,
  readJointCounts,
  readJointRecent,
  readJointSpans,
  readJointTimed,
  type RecentChecks,
} from './reading/read-joint-availability.js';
export { readLatency } from './reading/read-latency.js';
export { readMonitorCharts } from './reading/read-monitor-charts.js';
export { readPeriodSummary, type PeriodSummary } from './reading/read-period-summary.js';
export { readReportingRegions } from './reading/read-reporting-regions.js';
export { readWorkspaceChecks } from './reading/read-workspace-checks.js';
export { resultsRoutes } from './reading/results-routes.js';
export { uptimeTools } from './reading/uptime-tools.js';
export { dropExpiredHours, rolledUpUntil, rollUpResults } from './rollup/roll-up.js';
export { showRollups } from './rollup/rollup-metrics.js';
