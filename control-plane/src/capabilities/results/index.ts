// series: the state of checks in regions, and the partitions of their results
export { Partitions } from './series/partitions.js';
export { rebuildSeries, seriesRebuilder } from './series/rebuild-series.js';
export { ResultsMetrics } from './series/results-metrics.js';
export type { HealthStatus, Verdict } from './series/series.js';

// rollup
export { dropExpiredHours, rolledUpUntil, rollUpResults } from './rollup/roll-up.js';
export { showRollups } from './rollup/rollup-metrics.js';

// packing
export { packResults } from './packing/pack-results.js';
export { PackingMetrics } from './packing/packing-metrics.js';

// trust: suspect regions and second opinions
export type { OperatorNotice } from './trust/operator-notice-store.js';
export { listOperatorNotices, purgeTrustRecords, regionTroubles } from './trust/operator-notices.js';
export type { FirstFailure } from './trust/second-opinion-store.js';
export { readRegionTrust, type RegionTrust } from './trust/read-region-trust.js';
export { SecondOpinions } from './trust/second-opinions.js';

// warnings: certificates and names
export { describeDns } from './warnings/describe-dns.js';
export { describeSsl } from './warnings/describe-ssl.js';
export { dnsHistoryEntrySchema, type DnsHistoryEntryView } from './warnings/dns-schemas.js';
export { sslResultSchema, type SslResultView } from './warnings/ssl-schemas.js';

// verdict
export { AnswerHolds } from './verdict/answer-holds.js';
export { lockVerdicts } from './verdict/lock-verdicts.js';
export { reachVerdicts } from './verdict/reach-verdicts.js';
export { decideAgain, reconsiderOwner, reconsiderWorkspace, resultsMonitorListener } from './verdict/follow-changes.js';
export { silenceSweeper, sweepSilence } from './verdict/sweep-silence.js';

// ingest
export { BatchJoiner } from './ingest/batch-joiner.js';
export { ingestBatch, ingestJoined, type ResultsDeps } from './ingest/ingest-batch.js';
export { readNewestScheduledTimes } from './ingest/schedule-store.js';
export { ownersOf } from './series/owners-of.js';
export { createResultSink } from './ingest/result-sink.js';

// reading: timelines, availability, latency, histories
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
export { readWorkspaceChecks, type RegionChecks } from './reading/read-workspace-checks.js';
export { readReportingRegions, type ReportingRegion } from './reading/read-reporting-regions.js';
export { readUptime, type Uptime } from './reading/read-uptime.js';
export { resultsRoutes } from './reading/results-routes.js';
export { uptimeTools } from './reading/uptime-tools.js';

export { eraseResults } from './erase-results.js';
