import type { Clock } from '@watchpost/shared/clock';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.js';
import type { Database } from '../platform/db/database.js';
import type { RecurringJob } from '../platform/jobs/job-runner.js';
import {
  dropExpiredHours,
  type Partitions,
  rolledUpUntil,
  rollUpResults,
  showRollups,
} from '../capabilities/results/index.js';

/** What becomes of results when they grow old: hours and days are made of them, and then they go. */
export function rollupJobs(deps: {
  config: Config;
  db: Database;
  clock: Clock;
  registry: Registry;
  partitions: Partitions;
}): RecurringJob[] {
  const { partitions } = deps;
  showRollups(deps.registry, deps);
  return [
    { name: 'roll_up_results', cron: '* * * * *', run: async () => void (await rollUpResults(deps)) },
    {
      name: 'drop_expired_results',
      cron: '37 3 * * *',
      run: async () => void (await partitions.dropExpired(await rolledUpUntil(deps))),
    },
    {
      name: 'drop_expired_hours',
      cron: '39 3 * * *',
      run: async () => void (await dropExpiredHours({ ...deps, retentionDays: deps.config.retentionRawDays })),
    },
  ];
}
