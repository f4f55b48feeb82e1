export type { ReportingAgent } from './ingest/ingest-batch.js';
export { BatchJoiner } from './ingest/batch-joiner.js';
export { IngestMetrics } from './ingest/ingest-metrics.js';
export { ResultWriter } from './ingest/result-writer.js';
export { HOUR_OPEN_MS } from './ingest/mark-late-buckets.js';
export { type RefusedResult, ResultSink } from './ingest/result-sink.js';
export { readNewestScheduledTimes } from './ingest/schedule-store.js';
export { createPackedPartition, dayOf, type Day, partitionOf, storedDays } from './partitions/partition-store.js';
export { Partitions } from './partitions/partitions.js';
