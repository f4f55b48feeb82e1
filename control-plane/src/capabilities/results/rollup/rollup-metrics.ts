import { Gauge, type Registry } from 'prom-client';
import { readRollupProgress, type RollUpDeps } from './roll-up.js';

type Progress = Awaited<ReturnType<typeof readRollupProgress>>;

/** Shows how far the rollups are, as asked of the database at every scrape: the same on every process. */
export function showRollups(registry: Registry, deps: RollUpDeps): void {
  const show = (name: string, help: string, valueOf: (progress: Progress) => number | null) => {
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        // A database that is away must not take the other metrics with it.
        const progress = await readRollupProgress(deps).catch(() => null);
        const value = progress && valueOf(progress);
        if (value !== null) gauge.set(value);
      },
    });
    registry.registerMetric(gauge);
  };
  show(
    'watchpost_rollup_waiting_buckets',
    'Hours and days of monitors whose rollup is to be made, or made anew: until then they are read from the results',
    ({ waiting }) => waiting,
  );
  show(
    'watchpost_rollup_lag_seconds',
    'How long ago the oldest result was due that is in no rollup yet: an hour and a few minutes at most when all is well',
    ({ untilMs }) => (untilMs === null ? null : (deps.clock.now() - untilMs) / 1_000),
  );
}
