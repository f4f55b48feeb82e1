import { Gauge, type Registry } from 'prom-client';
import { rollupStanding, type RollUpDeps } from './roll-up.js';

/** Shows how far the rollups are, as asked of the database at every scrape: the same on every process. */
export function showRollups(registry: Registry, deps: RollUpDeps): void {
  const registers = [registry];
  const lag = new Gauge({
    name: 'watchpost_rollup_lag_seconds',
    help: 'How long ago the oldest result was due that is in no rollup yet; an hour and a few minutes at most when all is well',
    registers,
  });
  new Gauge({
    name: 'watchpost_rollup_waiting_buckets',
    help: 'Hours and days of monitors whose rollup is to be made, or made anew: until then they are read from the results',
    registers,
    async collect() {
      // A database that is away must not take the other metrics with it.
      const standing = await rollupStanding(deps).catch(() => null);
      if (!standing) return;
      this.set(standing.waiting);
      if (standing.untilMs !== null) lag.set((deps.clock.now() - standing.untilMs) / 1_000);
    },
  });
}
