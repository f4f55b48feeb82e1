export { dirtyBucketStore, type DirtyBucket } from './series/dirty-bucket-store.js';
export { ownersOf } from './series/owners-of.js';
export { seriesRebuilder } from './series/rebuild-series.js';
export { ResultsMetrics } from './series/results-metrics.js';
export { type HealthStatus, type Verdict, isSameSeries, type ResultOfRegion } from './series/series.js';
export { discountSuspectFailures } from './trust/discount-suspect-failures.js';
export type { OperatorNotice } from './trust/operator-notice-store.js';
export { listOperatorNotices, purgeTrustRecords, regionTroubles } from './trust/operator-notices.js';
export { readRegionTrust, type RegionTrust } from './trust/read-region-trust.js';
export { SecondOpinions } from './trust/second-opinions.js';
export { AnswerHolds } from './verdict/answer-holds.js';
export { evidenceStore } from './verdict/evidence-store.js';
export { decideAgain, reconsiderOwner, reconsiderWorkspace, resultsMonitorListener } from './verdict/follow-changes.js';
export { lockVerdicts } from './verdict/lock-verdicts.js';
export { reachVerdicts } from './verdict/reach-verdicts.js';
export { seriesStore } from './verdict/series-store.js';
export { silenceSweeper } from './verdict/sweep-silence.js';
export { answerHistoryStore, type HistoryRow } from './warnings/answer-history-store.js';
export { isWithoutCertificate, type CheckAnswer, daysLeft } from './warnings/check-answer.js';
export { describeDns } from './warnings/describe-dns.js';
export { describeSsl, NO_CERTIFICATE, type CheckContext } from './warnings/describe-ssl.js';
export { DETAILED_KINDS } from './warnings/detect-detail-change.js';
export {
  dnsHistoryEntrySchema,
  type DnsHistoryEntryView,
  dnsHistorySchema,
  type DnsHistoryView,
} from './warnings/dns-schemas.js';
export { keepDetails } from './warnings/keep-details.js';
export {
  sslResultSchema,
  type SslResultView,
  checkHistoryQuery,
  sslStatusSchema,
  type SslStatusView,
} from './warnings/ssl-schemas.js';
