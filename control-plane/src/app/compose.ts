import { createEgressPolicy } from '@watchpost/shared/egress';
import {
  alertRoutes,
  createWebhookUrlCheck,
  type DeliveryWorker,
  type OutgoingMail,
  requireActionGroups,
  sendInvitation,
} from '../capabilities/alerts/index.js';
import { auditRoutes } from '../capabilities/audit/index.js';
import { localCoordination } from '../platform/coordination/coordination.js';
import { type ComposedMcp, composeMcp } from './compose-mcp.js';
import { baseUrlOf } from '../config/config.js';
import { composeDelivery } from './compose-delivery.js';
import { composeLinks } from './compose-links.js';
import { monitorListeners, planListeners, workspaceListeners } from './compose-owner-changes.js';
import { composeJobs } from './compose-jobs.js';
import type { Platform } from './platform.js';
import { composeTrust } from './compose-trust.js';
import { composeStatusPages } from './compose-status-pages.js';
import type { Tx } from '../platform/db/database.js';
import type { ResultSink } from '../platform/grpc/index.js';
import { Fleet, monitorTestRoutes } from '../capabilities/fleet/index.js';
import type { Route } from '../platform/http/route.js';
import { eraseIncidents, incidentRoutes } from '../capabilities/incidents/index.js';
import type { RecurringJob } from '../platform/jobs/job-runner.js';
import type { PeriodicTask } from '../platform/jobs/periodic-task.js';
import {
  allMonitorChecks,
  changedMonitorChecks,
  monitorRoutes,
  type MonitorRules,
  type PurgeDeps,
  serviceGroupRoutes,
} from '../capabilities/monitors/index.js';
import { onCallRoutes } from '../capabilities/on-call/index.js';
import { planRoutes } from '../capabilities/plans/index.js';
import {
  createResultSink,
  eraseResults,
  ingestBatch,
  readNewestScheduledTimes,
  Partitions,
  ResultsMetrics,
  resultsRoutes,
  sweepSilence,
} from '../capabilities/results/index.js';
import { reportRoutes } from '../capabilities/reports/index.js';
import { createUsers, userRoutes, type Users } from '../capabilities/users/index.js';
import {
  createPersonalWorkspace,
  deleteWorkspacesOfUser,
  invitationRoutes,
  memberRoutes,
  workspaceRoutes,
} from '../capabilities/workspaces/index.js';

/** The composed capabilities: what HTTP, MCP and gRPC serve, and what runs in the background. */
export interface ControlPlane {
  users: Users;
  routes: Route[];
  mcp: ComposedMcp;
  fleet: Fleet;
  resultSink: ResultSink;
  partitions: Partitions;
  /** Sends alerts and mail. */
  delivery: DeliveryWorker;
  /** Each worker process runs all of them. */
  periodicTasks: readonly PeriodicTask[];
  /** One process of all runs each of them when it is due. */
  jobs: RecurringJob[];
}

/** Constructs the capabilities and connects them: what one needs of those above it is passed as a function. */
export function composeControlPlane(platform: Platform): ControlPlane {
  const { config, db, clock, logger, registry, secretBox } = platform;
  const { recipientVerification } = config;
  const coordination = platform.coordination ?? localCoordination(clock);
  const { bus } = coordination;
  const partitions = new Partitions({ db, clock, retentionDays: config.retentionRawDays });
  const metrics = new ResultsMetrics(registry);

  const monitors = { db, clock, bus, secretBox, listeners: monitorListeners({ clock }) };
  // The key is not needed: the sessions read from the database what changed.
  const wakeFleet = () => bus.publish('monitor-changed', { monitorKey: 0 });
  const plans = { db, clock, planListeners: planListeners({ clock }), onPlansChanged: wakeFleet };
  const workspaces = {
    db,
    clock,
    baseUrl: platform.baseUrl ?? baseUrlOf(config, config.port),
    listeners: workspaceListeners({ clock }),
    onChecksChanged: wakeFleet,
    requireActionGroups,
    sendMail: (tx: Tx, workspaceId: string, mail: OutgoingMail) => sendInvitation({ clock }, tx, workspaceId, mail),
  };
  const delivery = composeDelivery(platform, workspaces.baseUrl);
  // Null where this process is the only one.
  const shareLimits = coordination.calls && coordination.createLimiter;
  const statusPages = composeStatusPages({
    config,
    db,
    clock,
    registry,
    secretBox,
    baseUrl: workspaces.baseUrl,
    shareLimits,
  });
  const reports = {
    db,
    clock,
    logger,
    recipientVerification,
    retentionDays: config.retentionRawDays,
    baseUrl: workspaces.baseUrl,
  };
  const users = createUsers({ db, clock, onUserCreated: createPersonalWorkspace });
  const rules: MonitorRules = {
    egress: createEgressPolicy({ allowCidrs: config.probeAllowCidrs, denyCidrs: config.probeDenyCidrs }),
  };
  const checks = { secretBox, logger };
  const fleet = new Fleet({
    db,
    clock,
    logger,
    registry,
    bus,
    processId: coordination.processId,
    calls: coordination.calls,
    checks: {
      all: (tx, page) => allMonitorChecks(checks, tx, page),
      changed: (tx, since, limit) => changedMonitorChecks(checks, tx, since, limit),
    },
    readNewestScheduledTimes,
  });
  const { secondOpinions, onNotice, onJudgementError, ...trust } = composeTrust(platform, metrics, fleet);
  const results = { db, clock, secretBox, partitions, metrics, secondOpinions, onNotice, onJudgementError };
  const resultSink = createResultSink({
    db,
    clock,
    logger,
    metrics,
    ingest: (agent, batch) => ingestBatch(results, agent, batch),
  });

  const purging: PurgeDeps = {
    db,
    clock,
    eraseResults: (monitorKeys) => eraseResults({ db }, monitorKeys),
    eraseIncidents: (monitorKeys) => eraseIncidents({ db }, monitorKeys),
  };

  const mcp = composeMcp(platform, coordination, fleet);

  return {
    users,
    mcp,
    routes: [
      ...planRoutes(plans),
      ...userRoutes({
        db,
        clock,
        users,
        onUserLeaving: (tx, requester) => deleteWorkspacesOfUser(workspaces, tx, requester),
        onUserGone: wakeFleet,
      }),
      ...workspaceRoutes(workspaces),
      ...memberRoutes(workspaces),
      ...invitationRoutes(workspaces),
      ...auditRoutes({ db }),
      ...monitorRoutes(monitors, rules),
      ...serviceGroupRoutes(monitors),
      ...alertRoutes(
        { db, clock, secretBox, recipientVerification },
        { webhookUrlFaults: createWebhookUrlCheck(config.webhookAllowCidrs) },
      ),
      ...delivery.routes,
      ...onCallRoutes({ db, clock }),
      ...incidentRoutes({ db, clock }),
      ...composeLinks({ config, db, clock, secretBox, baseUrl: workspaces.baseUrl, shareLimits }),
      ...resultsRoutes({ db, clock, retentionDays: config.retentionRawDays }),
      ...reportRoutes(reports),
      ...statusPages.routes,
      ...monitorTestRoutes({ fleet, clock }, rules),
    ],
    fleet,
    resultSink,
    partitions,
    delivery: delivery.worker,
    periodicTasks: [
      { name: 'sweep_silence', everyMs: 2_000, run: async () => void (await sweepSilence(results)) },
      ...delivery.periodicTasks,
      ...statusPages.periodicTasks,
    ],
    jobs: [
      ...composeJobs({ platform, partitions, plans, reports, purging, sessions: mcp.sessions }),
      ...delivery.jobs,
      ...trust.jobs,
      ...statusPages.jobs,
    ],
  };
}
