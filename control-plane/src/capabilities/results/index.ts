export { createResultSink } from './ingest/result-sink.js';
export { ingestBatch, type IngestSummary, type ResultsDeps } from './ingest/ingest-batch.js';
export { eraseResults } from './erase-results.js';
export { Partitions } from './series/partitions.js';
export { ResultsMetrics } from './series/results-metrics.js';
export { resultsMonitorListener } from './verdict/follow-changes.js';
export { resultsRoutes } from './reading/results-routes.js';
export { readAvailability, type ReportDeps } from './reading/read-availability.js';
export { readLatency } from './reading/read-latency.js';
export { readUptime, type Uptime } from './reading/read-uptime.js';
export { readPeriodSummary, type PeriodFigures, type PeriodSummary } from './reading/read-period-summary.js';
export { reconsiderOwner, reconsiderWorkspace } from './verdict/follow-changes.js';
export { listOperatorNotices, purgeTrustRecords } from './trust/operator-notices.js';
export type { OperatorNotice } from './trust/operator-notice-store.js';
export { SecondOpinions, type AskElsewhere, type OpinionAnswer } from './trust/second-opinions.js';
export type { FirstFailure } from './trust/second-opinion-store.js';
export { regionTroubles } from './trust/region-health.js';
export { readNewestScheduledTimes } from './ingest/newest-scheduled-store.js';
export { sweepSilence, type SweepSummary } from './verdict/sweep-silence.js';
export {
  continueSpans,
  readJointCounts,
  readJointRecent,
  readJointSpans,
  type MonitorCount,
  type RecentChecks,
} from './reading/read-joint-availability.js';
export { dropExpiredHours, rolledUpUntil, rollUpResults } from './rollup/roll-up.js';
export { showRollups } from './rollup/rollup-metrics.js';
export {
  alignTimeline,
  coarsenTimeline,
  decideTimeline,
  decideUptime,
  mergeTimelines,
  type RegionSpan,
  type TimelineSpan,
} from './reading/decide-timeline.js';
export type { HealthStatus, Verdict } from './series/series.js';
export { describeSsl } from './warnings/describe-ssl.js';
export { describeDns } from './warnings/describe-dns.js';
export { sslResultSchema, sslStatusSchema, type SslResultView } from './warnings/ssl-schemas.js';
export { dnsHistoryEntrySchema, type DnsHistoryEntryView } from './warnings/dns-schemas.js';
export { uptimeTools } from './reading/uptime-tools.js';
