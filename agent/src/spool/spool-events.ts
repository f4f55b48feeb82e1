import type { Logger } from 'pino';
import type { AgentMetrics } from '../metrics/agent-metrics.js';
import type { SpoolEvents } from './spool-options.js';

const SAY_EVERY_MS = 10_000;

/** Counts what goes wrong with the spool, and says it: losses at most every 10 s, and then how many. */
export function spoolEvents(metrics: AgentMetrics, logger: Logger, now: () => number): SpoolEvents {
  let unsaid = 0;
  let saidAt = -Infinity;
  let failing = false;
  return {
    dropped(records) {
      metrics.spoolDropped.inc(records);
      unsaid += records;
      if (unsaid === 0 || now() - saidAt < SAY_EVERY_MS) return;
      logger.error({ results: unsaid }, 'results are lost: there is no room left for them');
      unsaid = 0;
      saidAt = now();
    },
    corrupt(what) {
      metrics.spoolCorrupt.inc();
      logger.error({ file: what }, 'a part of the spool is damaged and was skipped');
    },
    disk(error) {
      if (error) metrics.spoolDiskFailures.inc();
      if (error && !failing)
        logger.error({ err: error }, 'the disk takes no results: they are kept in memory and sent from there');
      if (!error && failing) logger.info('the disk takes results again');
      failing = error !== undefined;
    },
  };
}
