export { ingestBatch, type IngestSummary, type ResultsDeps } from './ingest-batch.js';
export { Partitions } from './partitions.js';
export { ResultsMetrics } from './results-metrics.js';
export { resultsMonitorListener } from './monitor-listener.js';
export { resultsRoutes } from './results-routes.js';
export { readAvailability, type ReportDeps } from './read-availability.js';
export { readLatency } from './read-latency.js';
export { readUptime, type Uptime } from './read-uptime.js';
export { readPeriodSummary, type PeriodFigures, type PeriodSummary } from './read-period-summary.js';
export { reconsiderOwner, reconsiderWorkspace } from './reconsider-workspace.js';
export { listOperatorNotices, purgeTrustRecords } from './operator-notices.js';
export type { OperatorNotice } from './operator-notice-store.js';
export { SecondOpinions, type AskElsewhere, type OpinionAnswer } from './second-opinions.js';
export type { FirstFailure } from './second-opinion-store.js';
export { regionTroubles } from './region-health.js';
export { newestDueTimes } from './newest-due-store.js';
export { sweepSilence, type SweepSummary } from './sweep-silence.js';
export {
  readJointCounts,
  readJointSpans,
  type JointPeriod,
  type MonitorCount,
  type MonitorSpan,
} from './read-joint-availability.js';
export { dropExpiredHours, rolledUpUntil, rollUpResults } from './rollup/roll-up.js';
export { showRollups } from './rollup/rollup-metrics.js';
export { decideTimeline, decideUptime, type RegionSpan, type TimelineSpan } from './decide-timeline.js';
export type { HealthStatus, Verdict } from './verdict.js';
export { describeSsl } from './describe-ssl.js';
export { describeDns } from './describe-dns.js';
export { sslResultSchema, sslStatusSchema, type SslResultView } from './ssl-schemas.js';
export { dnsHistoryEntrySchema, type DnsHistoryEntryView } from './dns-schemas.js';
export { uptimeTools } from './uptime-tools.js';
