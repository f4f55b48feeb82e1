import type { Logger } from 'pino';
import type { AgentMetrics } from '../metrics/agent-metrics.js';
import type { SpoolEvents } from './spool-options.js';

const LOG_EVERY_MS = 10_000;

/** Counts and logs the failures of the spool; losses at most every 10 s, with their number. */
export function spoolEvents(metrics: AgentMetrics, logger: Logger, now: () => number): SpoolEvents {
  let unlogged = 0;
  let loggedAtMs = -Infinity;
  let failing = false;
  return {
    dropped(records) {
      metrics.spoolDropped.inc(records);
      unlogged += records;
      if (unlogged === 0 || now() - loggedAtMs < LOG_EVERY_MS) return;
      logger.error({ results: unlogged }, 'results were lost because the spool is full');
      unlogged = 0;
      loggedAtMs = now();
    },
    corrupt(what) {
      metrics.spoolCorrupt.inc();
      logger.error({ file: what }, 'a damaged part of the spool was skipped');
    },
    disk(error) {
      if (error) metrics.spoolDiskFailures.inc();
      if (error && !failing)
        logger.error({ err: error }, 'results cannot be written to disk; they are kept in memory and sent from there');
      if (!error && failing) logger.info('results can be written to disk again');
      failing = error !== undefined;
    },
  };
}
