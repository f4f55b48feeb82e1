import { purgeApiKeys } from '../capabilities/api-keys/index.js';
import { purgeAudit } from '../capabilities/audit/index.js';
import type { Dispatcher } from 'undici';
import type { ConsoleSessions } from '../capabilities/sign-in/index.js';
import { domainQueries } from '../capabilities/domains/index.js';
import { purgeEvents } from '../capabilities/events/index.js';
import { purgeServiceCalls } from '../capabilities/incidents/index.js';
import { extendWindows } from '../capabilities/maintenance/index.js';
import { purgePings } from '../capabilities/pings/index.js';
import { purgeMarks } from '../capabilities/marks/index.js';
import { monitorJobs } from '../capabilities/monitors/index.js';
import { endTrials } from '../capabilities/plans/index.js';
import { holidayRefresh, mailReadiness, remindOfShifts, settleSwaps } from '../capabilities/on-call/index.js';
import { sendDueReports } from '../capabilities/reports/index.js';
import {
  dropExpiredHours,
  packResults,
  PackingMetrics,
  refreshDays,
  rolledUpUntil,
  rollUpResults,
  showRollups,
} from '../capabilities/figures/index.js';
import type { Partitions } from '../capabilities/results/index.js';
import { decideAgain, purgeTrustRecords, seriesRebuilder } from '../capabilities/verdicts/index.js';
import { purgeInvitations } from '../capabilities/workspaces/index.js';
import { purgeIdempotencyKeys } from '../platform/http/serving/idempotency-store.js';
import { showClockOffset } from '../platform/db/clock-offset.js';
import { showOldestSnapshot } from '../platform/db/oldest-snapshot.js';
import type { RecurringJob } from '../platform/jobs/job-runner.js';
import type { Sessions } from '../platform/mcp/sessions.js';
import type { Platform } from './platform.js';

export interface JobDeps {
  platform: Platform;
  partitions: Partitions;
  /** Applies the egress policy of the servers. */
  dispatcher: Dispatcher;
  plans: Parameters<typeof endTrials>[0];
  reports: Parameters<typeof sendDueReports>[0];
  onCall: Omit<Parameters<typeof holidayRefresh>[0], 'registry'>;
  purging: Parameters<typeof monitorJobs>[0];
  sessions: Sessions;
  consoleSessions: ConsoleSessions;
}

/** The jobs of capabilities that are not composed in a file of their own: rollups, purges, reports and the end of trials. */
export function composeJobs(deps: JobDeps): RecurringJob[] {
  const { platform, partitions, dispatcher, plans, reports, onCall, purging, sessions, consoleSessions } = deps;
  const { config, db, clock, registry } = platform;
  const results = { db, clock, partitions };
  showRollups(registry, results);
  showOldestSnapshot(registry, db);
  showClockOffset(registry, db);
  const days = { db, clock, logger: platform.logger, retentionDays: config.retentionRawDays };
  const packing = { db, clock, metrics: new PackingMetrics(registry, { db, clock }) };
  return [
    { name: 'make_result_partitions', cron: '7 * * * *', run: () => partitions.makeAhead() },
    { name: 'rebuild_series', cron: '*/10 * * * *', run: seriesRebuilder(registry, { db }) },
    { name: 'roll_up_results', cron: '* * * * *', run: (signal) => rollUpResults(results, signal) },
    { name: 'refresh_days', cron: '* * * * *', run: (signal) => refreshDays(days, signal) },
    { name: 'pack_results', cron: '* * * * *', run: (signal) => packResults(packing, signal) },
    {
      name: 'drop_expired_results',
      cron: '37 3 * * *',
      run: async () => partitions.dropExpired(await rolledUpUntil(results)),
    },
    {
      name: 'drop_expired_hours',
      cron: '39 3 * * *',
      run: (signal) => dropExpiredHours({ ...results, retentionDays: config.retentionRawDays }, signal),
    },
    ...monitorJobs(purging),
    { name: 'extend_maintenance_windows', cron: '3 * * * *', run: () => extendWindows({ db, clock }) },
    {
      name: 'purge_trust_records',
      cron: '33 4 * * *',
      run: () => purgeTrustRecords({ db, clock, retentionDays: config.retentionRawDays }),
    },
    {
      name: 'query_domains',
      cron: '* * * * *',
      run: domainQueries({
        db,
        clock,
        registry,
        dispatcher,
        bootstrapUrl: config.rdapBootstrapUrl,
        decideAgain: (tx, workspaceId, monitorKeys) => decideAgain({ clock }, tx, workspaceId, monitorKeys),
      }),
    },
    { name: 'send_due_reports', cron: '*/10 * * * *', run: (signal) => sendDueReports(reports, signal) },
    { name: 'settle_swaps', cron: '* * * * *', run: () => settleSwaps(onCall) },
    { name: 'remind_of_shifts', cron: '* * * * *', run: () => remindOfShifts(onCall) },
    { name: 'refresh_holidays', cron: '* * * * *', run: holidayRefresh({ ...onCall, registry }) },
    { name: 'mail_readiness', cron: '9 4 * * *', run: () => mailReadiness(onCall) },
    { name: 'end_trials', cron: '* * * * *', run: () => endTrials(plans) },
    { name: 'purge_invitations', cron: '57 3 * * *', run: () => purgeInvitations({ db, clock }) },
    { name: 'purge_expired_api_keys', cron: '51 3 * * *', run: () => purgeApiKeys({ db, clock }) },
    { name: 'purge_pings', cron: '41 * * * *', run: () => purgePings({ db, clock }) },
    { name: 'purge_marks', cron: '53 3 * * *', run: () => purgeMarks({ db, clock }) },
    { name: 'purge_audit', cron: '37 3 * * *', run: () => purgeAudit({ db, clock }) },
    { name: 'purge_console_sessions', cron: '33 * * * *', run: () => consoleSessions.purge() },
    { name: 'purge_service_calls', cron: '47 * * * *', run: () => purgeServiceCalls({ db, clock }) },
    { name: 'purge_events', cron: '* * * * *', run: () => purgeEvents({ db }) },
    { name: 'purge_ended_mcp_sessions', cron: '23 * * * *', run: () => sessions.purge() },
    {
      name: 'purge_idempotency_keys',
      cron: '17 * * * *',
      async run(signal) {
        while ((await db.transaction((tx) => purgeIdempotencyKeys(tx, clock.now()))) > 0) if (signal?.aborted) return;
      },
    },
  ];
}
