import type { Clock } from '@watchpost/shared/clock';
import { MONITOR_TYPES } from '@watchpost/shared/check';
import { createEgressPolicy } from '@watchpost/shared/egress';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type Bus, LocalBus } from './coordination/bus.js';
import type { Config } from './config.js';
import type { Database } from './db/database.js';
import type { SecretBox } from './db/secret-box.js';
import { Fleet, monitorTestRoutes } from './fleet/index.js';
import { purgeIdempotencyKeys } from './http/idempotency-store.js';
import type { Route } from './http/route.js';
import { closeIncidentsOfMonitor, incidentRoutes } from './incidents/index.js';
import type { RecurringJob } from './jobs/job-runner.js';
import {
  allMonitorChecks,
  changedMonitorChecks,
  type MonitorListener,
  monitorRoutes,
  type MonitorRules,
  purgeMonitors,
} from './monitors/index.js';
import { planRoutes } from './plans/index.js';
import {
  ingestBatch,
  Partitions,
  ResultsMetrics,
  resultsMonitorListener,
  resultsRoutes,
  sweepSilence,
} from './results/index.js';
import { createUsers, userRoutes, type Users } from './users/index.js';
import { createPersonalWorkspace, workspaceRoutes } from './workspaces/index.js';

/** What every slice stands on. */
export interface Platform {
  config: Config;
  db: Database;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  secretBox: SecretBox;
}

/** The slices, joined: what the shells serve, and what runs by itself. */
export interface ControlPlane {
  users: Users;
  routes: Route[];
  fleet: Fleet;
  partitions: Partitions;
  /** To be run every few seconds. */
  sweep(): Promise<void>;
  jobs: RecurringJob[];
}

const STOPPED_REASONS = {
  stopped: 'The monitor was paused or disabled.',
  deleted: 'The monitor was deleted.',
} as const;

/** The only place that knows how the slices hang together. */
export function composeControlPlane(platform: Platform): ControlPlane {
  const { config, db, clock, logger, registry, secretBox } = platform;
  const bus: Bus = new LocalBus();
  const partitions = new Partitions({ db, clock, retentionDays: config.retentionRawDays });
  const results = { db, clock, partitions, metrics: new ResultsMetrics(registry) };

  const closeIncidents: MonitorListener = async (tx, { kind, workspaceId, monitorKey }) => {
    if (kind === 'stopped' || kind === 'deleted') {
      await closeIncidentsOfMonitor({ clock }, tx, { workspaceId, monitorKey }, STOPPED_REASONS[kind]);
    }
  };
  const monitors = { db, clock, bus, secretBox, listeners: [closeIncidents, resultsMonitorListener({ clock })] };
  const rules: MonitorRules = {
    egress: createEgressPolicy({ allowCidrs: config.probeAllowCidrs }),
    runnableTypes: new Set(MONITOR_TYPES.filter((type) => type === 'HttpAvailability' || type === 'Latency')),
  };
  const checks = { secretBox, logger };
  const fleet = new Fleet({
    db,
    clock,
    logger,
    registry,
    bus,
    checks: {
      all: (tx, page) => allMonitorChecks(checks, tx, page),
      changed: (tx, since, limit) => changedMonitorChecks(checks, tx, since, limit),
    },
    ingest: async (agent, batch) => void (await ingestBatch(results, agent, batch)),
  });

  return {
    users: createUsers({ db, clock, onUserCreated: createPersonalWorkspace }),
    routes: [
      ...planRoutes(),
      ...userRoutes({ db }),
      ...workspaceRoutes({ db, clock }),
      ...monitorRoutes(monitors, rules),
      ...incidentRoutes({ db, clock }),
      ...resultsRoutes({ db, clock, retentionDays: config.retentionRawDays }),
      ...monitorTestRoutes({ fleet, clock }, rules),
    ],
    fleet,
    partitions,
    sweep: async () => void (await sweepSilence(results)),
    jobs: [
      { name: 'make_result_partitions', cron: '7 * * * *', run: () => partitions.makeAhead() },
      { name: 'drop_expired_results', cron: '37 3 * * *', run: async () => void (await partitions.dropExpired()) },
      {
        name: 'purge_deleted_monitors',
        cron: '47 3 * * *',
        run: async () => void (await purgeMonitors({ db, clock })),
      },
      {
        name: 'purge_idempotency_keys',
        cron: '17 * * * *',
        run: async () => void (await db.transaction((tx) => purgeIdempotencyKeys(tx, clock.now()))),
      },
    ],
  };
}
