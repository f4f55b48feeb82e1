import type { RecurringJob } from '../../platform/jobs/job-runner.js';
import { type PurgeDeps, purgeMonitors } from './purge-monitors.js';
import { purgeServiceGroups } from './service-groups/purge-service-groups.js';

export function monitorJobs(deps: PurgeDeps): RecurringJob[] {
  return [
    { name: 'purge_deleted_monitors', cron: '47 3 * * *', run: (signal) => purgeMonitors(deps, signal) },
    { name: 'purge_deleted_service_groups', cron: '43 3 * * *', run: (signal) => purgeServiceGroups(deps, signal) },
  ];
}
