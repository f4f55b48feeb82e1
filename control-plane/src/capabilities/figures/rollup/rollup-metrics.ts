import type { Registry } from 'prom-client';
import { metricsOn } from '@watchpost/shared/metrics-on';
import { readRollupProgress, type RollUpDeps } from './roll-up.js';

type Progress = Awaited<ReturnType<typeof readRollupProgress>>;

/** Registers the metrics of the rollup progress. Each scrape reads the database: the values are the same on every process. */
export function showRollups(registry: Registry, deps: RollUpDeps): void {
  const show = (name: string, help: string, valueOf: (progress: Progress) => number | null) => {
    metricsOn(registry).shown(name, help, async () => {
      // While the database is unavailable the other metrics are still served.
      const progress = await readRollupProgress(deps).catch(() => null);
      return progress && valueOf(progress);
    });
  };
  show(
    'watchpost_rollup_waiting_buckets',
    'Hours and days of monitors whose rollup is missing or outdated: until it is recomputed they are read from the results',
    ({ waiting }) => waiting,
  );
  show(
    'watchpost_rollup_lag_seconds',
    'Age of the oldest scheduled time whose results are not in a rollup yet: normally an hour and a few minutes at most',
    ({ untilMs }) => (untilMs === null ? null : (deps.clock.now() - untilMs) / 1_000),
  );
}
