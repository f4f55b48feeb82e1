export { ingestBatch, type IngestSummary, type ResultsDeps } from './ingest-batch.js';
export { Partitions } from './partitions.js';
export { ResultsMetrics } from './results-metrics.js';
export { resultsMonitorListener } from './monitor-listener.js';
export { resultsRoutes } from './results-routes.js';
export { readAvailability, type ReportDeps } from './read-availability.js';
export { readLatency } from './read-latency.js';
export { reconsiderWorkspace } from './reconsider-workspace.js';
export { sweepSilence, type SweepSummary } from './sweep-silence.js';
