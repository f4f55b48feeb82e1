import type { OutgoingMail } from '../platform/mail/mailer.js';
import { requireScope } from '../platform/http/require-access.js';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { createWebhookUrlCheck } from '../capabilities/channels/index.js';
import { type DeliveryWorker, enqueueMail, WRITE_ALERTS } from '../capabilities/delivery/index.js';
import { domainRoutes } from '../capabilities/domains/index.js';
import {
  actionGroupSection,
  alertRoutes,
  ownAccounts,
  createFirstWorkspace,
  moveToGroup,
  requireActionGroups,
  admitMail,
  sendInvitation,
  withActionGroups,
} from '../capabilities/recipients/index.js';
import { consoleCookies, ConsoleSessions, sessionRoutes } from '../capabilities/sign-in/index.js';
import { apiKeyRoutes, type ApiKeyVerifier, createApiKeyVerifier } from '../capabilities/api-keys/index.js';
import { pagingOfTeams, readPageableGroups, readReachable } from '../capabilities/paging/index.js';
import { documentRoutes } from '../capabilities/documents/index.js';
import { auditRoutes } from '../capabilities/audit/index.js';
import { EventFeed, eventRoutes } from '../capabilities/events/index.js';
import { localCoordination } from '../platform/coordination/coordination.js';
import { type ComposedMcp, composeMcp } from './compose-mcp.js';
import { agentUrlOf, baseUrlOf } from '../config/config.js';
import { composeDelivery } from './compose-delivery.js';
import { composeLinks } from './compose-links.js';
import { decideCoveredAgain, monitorListeners, planListeners, workspaceListeners } from './compose-owner-changes.js';
import { composeJobs } from './compose-jobs.js';
import type { Platform } from './platform.js';
import { composeStatusPages } from './compose-status-pages.js';
import type { Tx } from '../platform/db/database.js';
import type { Actor } from '../platform/identity/caller.js';
import {
  ConcurrentTests,
  Fleet,
  locationAgentRoutes,
  locationWatcher,
  monitorTestRoutes,
  OtherAgents,
  revokeAgentsAt,
} from '../capabilities/fleet/index.js';
import { readCookie } from '../platform/http/reading/read-credentials.js';
import type { Route } from '../platform/http/route.js';
import { eraseIncidents, expireAcknowledgementsTask, incidentRoutes } from '../capabilities/incidents/index.js';
import {
  erasePings,
  NOTE_RECEPTION_MS,
  noteReception,
  type PingEndpoint,
  pingEndpoint,
  pingRoutes,
} from '../capabilities/pings/index.js';
import type { RecurringJob } from '../platform/jobs/job-runner.js';
import type { PeriodicTask } from '../platform/jobs/periodic-task.js';
import {
  erasePeriods,
  followWindows,
  IS_MAINTENANCE_DUE,
  maintenanceRoutes,
  moveToWindow,
  windowSection,
} from '../capabilities/maintenance/index.js';
import { markRoutes } from '../capabilities/marks/index.js';
import {
  monitorCheckSource,
  monitorsAtLocation,
  monitorRoutes,
  monitorSection,
  type MonitorRules,
  serviceGroupSection,
} from '../capabilities/monitors/index.js';
import { HolidayCalendars, onCallRoutes, reachableAfter, teamSection } from '../capabilities/on-call/index.js';
import { diagnosisRoutes } from '../capabilities/diagnosis/index.js';
import { type OverviewDeps, overviewRoutes } from '../capabilities/overview/index.js';
import { planRoutes } from '../capabilities/plans/index.js';
import {
  IngestMetrics,
  ResultSink,
  BatchJoiner,
  ResultWriter,
  readNewestScheduledTimes,
  Partitions,
} from '../capabilities/results/index.js';
import { eraseResults, resultsRoutes } from '../capabilities/figures/index.js';
import {
  AnswerHolds,
  checkHistoryRoutes,
  reconsiderWorkspace,
  SecondOpinions,
  silenceSweeper,
  VerdictMetrics,
} from '../capabilities/verdicts/index.js';
import { locationRoutes, locationSection } from '../capabilities/locations/index.js';
import { reportRoutes } from '../capabilities/reports/index.js';
import { createUsers, userRoutes, type Users } from '../capabilities/users/index.js';
import {
  deleteWorkspacesOfUser,
  followRoleMappings,
  invitationRoutes,
  memberRoutes,
  workspaceRoutes,
} from '../capabilities/workspaces/index.js';

/** The composed capabilities: what HTTP, MCP and gRPC serve, and what runs in the background. */
export interface ControlPlane {
  users: Users;
  consoleSessions: ConsoleSessions;
  overview: OverviewDeps;
  apiKeys: ApiKeyVerifier;
  routes: Route[];
  /** Receives pings. It is mounted before the routes. */
  pings: PingEndpoint;
  /** Each process that serves HTTP runs it. */
  receptionTask: PeriodicTask;
  mcp: ComposedMcp;
  fleet: Fleet;
  resultSink: ResultSink;
  partitions: Partitions;
  events: EventFeed;
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

  // The key is not needed: the sessions read from the database what changed.
  const wakeFleet = () => bus.publish('monitor-changed', { monitorKey: 0 });
  const plans = { db, clock, planListeners: planListeners({ clock }), onPlansChanged: wakeFleet };
  const baseUrl = platform.baseUrl ?? baseUrlOf(config, config.port);
  const rules: MonitorRules = {
    egress: createEgressPolicy({ allowCidrs: config.probeAllowCidrs, denyCidrs: config.probeDenyCidrs }),
  };
  const monitors = { db, clock, bus, secretBox, baseUrl, ...rules, listeners: monitorListeners({ clock }) };
  const locations = {
    db,
    clock,
    requireActionGroups,
    revokeAgents: (tx: Tx, locationId: string) => revokeAgentsAt(tx, locationId, clock.now()),
    monitorsAt: monitorsAtLocation.list,
    reconsider: (tx: Tx, workspaceId: string) => reconsiderWorkspace({ clock }, tx, workspaceId),
    takeOut: (tx: Tx, actor: Actor, slug: string, monitorIds: readonly string[]) =>
      monitorsAtLocation.takeOut(monitors, tx, actor, slug, monitorIds),
    onChanged() {
      bus.publish('agent-changed', { agentId: '' });
      wakeFleet();
    },
  };
  const maintenance = {
    db,
    clock,
    bus,
    listeners: monitors.listeners,
    onCoverageChanged: decideCoveredAgain({ clock }),
  };
  const alerts = { db, clock, secretBox, recipientVerification };
  const alertRules = { webhookUrlFaults: createWebhookUrlCheck(config.webhookAllowCidrs) };
  const consoleSessions = new ConsoleSessions({ db, clock, secretBox });
  const delivery = composeDelivery(platform, baseUrl);
  const sessionCookie = consoleCookies(baseUrl).session;
  const workspaces = {
    db,
    clock,
    baseUrl,
    async isSignedIn(cookieHeader: string) {
      const token = readCookie(cookieHeader, sessionCookie);
      return token !== undefined && (await consoleSessions.find(token)) !== null;
    },
    installation: {
      createWorkspaces: config.createWorkspaces,
      roleClaim: config.roleClaim,
      contact: config.admission.contact,
    },
    listeners: workspaceListeners({ clock }),
    onChecksChanged: wakeFleet,
    requireActionGroups,
    accounts: ownAccounts({ db, clock, secretBox, channels: delivery.channels, rules: alertRules }),
    reachableAfter: (tx: Tx, workspaceId: string, userId: string) => reachableAfter(onCall, tx, workspaceId, userId),
    sendMail: (tx: Tx, workspaceId: string, mail: OutgoingMail) => sendInvitation({ clock }, tx, workspaceId, mail),
  };
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
  const incidents = { db, clock, secretBox, baseUrl: workspaces.baseUrl };
  const reach = { clock, recipientVerification, hasSms: config.twilio !== null };
  const onCall = {
    db,
    clock,
    baseUrl: workspaces.baseUrl,
    paging: pagingOfTeams({ clock }),
    async hearingGroups(tx: Tx, workspaceId: string, groupIds: readonly string[]) {
      const groups = await readPageableGroups(reach, tx, workspaceId, groupIds);
      return new Set([...groups.values()].flatMap(({ id, hears }) => (hears ? [id] : [])));
    },
    holidayCalendars: new HolidayCalendars({
      clock,
      dispatcher: delivery.channels.outbound,
      urlFaults: alertRules.webhookUrlFaults,
    }),
    async reachOf(tx: Tx, workspaceId: string, userIds: readonly string[]) {
      return (await readReachable(reach, tx, workspaceId, userIds)).map(({ person, points, isBlocked }) => ({
        userId: person.userId,
        channels: [...new Set(points.map(({ channel }) => channel))],
        isBlocked,
      }));
    },
    async sendMail(tx: Tx, workspaceId: string, mail: OutgoingMail) {
      if (await admitMail({ clock, recipientVerification }, tx, workspaceId, mail.to))
        await enqueueMail({ clock }, tx, workspaceId, mail);
    },
  };
  const users = createUsers({
    db,
    clock,
    onUserCreated: createFirstWorkspace,
    admission: config.admission,
    defaultPlan: config.defaultPlan,
    onRoleValues: (user, values) => followRoleMappings(workspaces, user, values),
  });
  const checks = monitorCheckSource({ secretBox, logger });
  const fleet = new Fleet({
    db,
    clock,
    logger,
    registry,
    bus,
    processId: coordination.processId,
    calls: coordination.calls,
    checks,
    readNewestScheduledTimes,
  });
  const verdicts = { db, clock, logger, verdictMetrics: new VerdictMetrics(registry) };
  const results = {
    ...verdicts,
    secretBox,
    partitions,
    metrics: new IngestMetrics(registry),
    secondOpinions: new SecondOpinions({ ...verdicts, agents: new OtherAgents({ db, fleet, checks }) }),
    answerHolds: new AnswerHolds(verdicts),
  };
  const joiner = new BatchJoiner(new ResultWriter(results));
  const resultSink = new ResultSink({ ...results, joiner });

  const purging = {
    db,
    clock,
    async eraseResults(monitorKeys: readonly number[], signal?: AbortSignal) {
      await erasePings({ db }, monitorKeys);
      await erasePeriods({ db }, monitorKeys);
      return eraseResults({ db }, monitorKeys, signal);
    },
    eraseIncidents: (monitorKeys: readonly number[]) => eraseIncidents({ db }, monitorKeys),
  };

  const overview = {
    db,
    clock,
    recipientVerification,
    hasSms: config.twilio !== null,
    mail:
      config.smtpUrl !== null ? ('server' as const) : config.production ? ('nowhere' as const) : ('mailbox' as const),
  };
  const events = new EventFeed({ db, logger, registry });
  const tests = new ConcurrentTests();
  const diagnosis = { db, clock, fleet, checks, tests };

  const routes = [
    ...planRoutes(plans),
    ...userRoutes({
      db,
      clock,
      users,
      onUserLeaving: (tx, userId, author) => deleteWorkspacesOfUser(workspaces, tx, userId, author),
      onUserGone: wakeFleet,
    }),
    ...sessionRoutes({ sessions: consoleSessions }),
    ...workspaceRoutes(workspaces),
    ...memberRoutes(workspaces),
    ...invitationRoutes(workspaces),
    ...apiKeyRoutes({ db, clock }),
    ...auditRoutes({ db }),
    ...eventRoutes({ feed: events }),
    ...monitorRoutes(
      {
        ...monitors,
        moveToActionGroup(tx, actor, move) {
          requireScope(actor.caller.scopes, WRITE_ALERTS);
          return moveToGroup(alerts, tx, actor, move);
        },
        moveToMaintenance: (...asked) => moveToWindow(maintenance, ...asked),
      },
      rules,
    ),
    ...locationRoutes(locations),
    ...locationAgentRoutes({ db, clock, bus, agentUrl: agentUrlOf(config, baseUrl) }),
    ...maintenanceRoutes(maintenance),
    ...markRoutes({ db, clock }),
    ...alertRoutes(alerts, alertRules),
    ...delivery.routes,
    ...onCallRoutes(onCall),
    ...incidentRoutes(incidents),
    ...composeLinks({
      config,
      db,
      clock,
      secretBox,
      baseUrl: workspaces.baseUrl,
      shareLimits,
      channels: delivery.channels,
    }),
    ...pingRoutes({ db }),
    ...resultsRoutes({ db, clock, retentionDays: config.retentionRawDays }),
    ...domainRoutes({ db, clock }),
    ...checkHistoryRoutes({ db, clock, retentionDays: config.retentionRawDays }),
    ...reportRoutes(reports),
    ...overviewRoutes(overview),
    ...statusPages.routes,
    ...diagnosisRoutes(diagnosis),
    ...monitorTestRoutes({ db, fleet, clock, tests }, rules),
    ...documentRoutes({
      db,
      clock,
      secretBox,
      sections: {
        serviceGroups: serviceGroupSection(monitors),
        actionGroups: actionGroupSection(alerts, alertRules),
        privateLocations: locationSection(locations),
        monitors: withActionGroups(monitorSection(monitors, rules), alerts),
        statusPages: statusPages.section,
        maintenanceWindows: windowSection(maintenance),
        teams: teamSection(onCall),
      },
    }),
  ];
  const mcp = composeMcp(platform, coordination, fleet, diagnosis, routes, baseUrl);
  const pings = pingEndpoint({ db, clock, registry, logger, createLimiter: coordination.createLimiter });
  return {
    users,
    consoleSessions,
    overview,
    apiKeys: createApiKeyVerifier({ db, clock, registry }),
    mcp,
    routes,
    pings,
    receptionTask: {
      name: 'note_reception',
      everyMs: NOTE_RECEPTION_MS,
      run: () => noteReception({ db, clock, takeLoss: pings.takeLoss }),
    },
    fleet,
    resultSink,
    partitions,
    events,
    delivery: delivery.worker,
    periodicTasks: [
      {
        name: 'sweep_silence',
        everyMs: 2_000,
        run: silenceSweeper(
          { ...verdicts, onCounted: (counted) => delivery.watchdog?.judged(counted) },
          platform.leads,
        ),
      },
      expireAcknowledgementsTask(incidents),
      { name: 'watch_locations', everyMs: 10_000, run: locationWatcher({ db, clock }) },
      {
        name: 'follow_maintenance',
        everyMs: 2_000,
        isDue: IS_MAINTENANCE_DUE,
        run: () => followWindows(maintenance),
      },
      ...delivery.periodicTasks,
      ...statusPages.periodicTasks,
    ],
    jobs: [
      ...composeJobs({
        platform,
        partitions,
        dispatcher: delivery.channels.outbound,
        plans,
        reports,
        onCall,
        purging,
        sessions: mcp.sessions,
        consoleSessions,
      }),
      ...delivery.jobs,
      ...statusPages.jobs,
    ],
  };
}
