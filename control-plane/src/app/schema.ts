// Every entity and every migration, in order. Written by "npm run generate"; do not edit.
import type { Migration } from '../platform/db/migration.js';
import * as apiKeyEntity from '../capabilities/api-keys/api-key.entity.js';
import * as auditEntryEntity from '../capabilities/audit/audit-entry.entity.js';
import * as acknowledgeLinkEntity from '../capabilities/delivery/links/acknowledge-link.entity.js';
import * as evidenceLinkEntity from '../capabilities/delivery/links/evidence-link.entity.js';
import * as managedObjectEntity from '../capabilities/documents/managed-object.entity.js';
import * as agentEntity from '../capabilities/fleet/agents/agent.entity.js';
import * as certificateEntity from '../capabilities/fleet/certificates/certificate.entity.js';
import * as membershipEntity from '../capabilities/fleet/members/membership.entity.js';
import * as incidentEntity from '../capabilities/incidents/incident.entity.js';
import * as maintenanceWindowEntity from '../capabilities/maintenance/maintenance-window.entity.js';
import * as monitorEntity from '../capabilities/monitors/monitor.entity.js';
import * as serviceGroupEntity from '../capabilities/monitors/service-groups/service-group.entity.js';
import * as scheduleEntity from '../capabilities/on-call/schedule.entity.js';
import * as teamEntity from '../capabilities/on-call/team.entity.js';
import * as pagingEntity from '../capabilities/paging/paging.entity.js';
import * as planUseEntity from '../capabilities/plans/plan-use.entity.js';
import * as recipientEntity from '../capabilities/recipients/consent/recipient.entity.js';
import * as actionGroupEntity from '../capabilities/recipients/groups/action-group.entity.js';
import * as sentReportEntity from '../capabilities/reports/sent-report.entity.js';
import * as consoleSessionEntity from '../capabilities/sign-in/console-session.entity.js';
import * as statusPageEntity from '../capabilities/status-pages/status-page.entity.js';
import * as subscriberEntity from '../capabilities/status-pages/subscribers/subscriber.entity.js';
import * as timelineEntity from '../capabilities/timeline/timeline.entity.js';
import * as userAccountEntity from '../capabilities/users/user-account.entity.js';
import * as trustEntity from '../capabilities/verdicts/trust/trust.entity.js';
import * as invitationEntity from '../capabilities/workspaces/invitation.entity.js';
import * as workspaceEntity from '../capabilities/workspaces/workspace.entity.js';
import * as providerEntity from '../embedded/provider/provider.entity.js';
import * as installationEntity from '../platform/coordination/installation.entity.js';
import * as idempotencyKeyEntity from '../platform/http/serving/idempotency-key.entity.js';
import * as endedSessionEntity from '../platform/mcp/ended-session.entity.js';
import * as baseline0001 from '../platform/db/migrations/0001-baseline.js';
import * as monitorTags0002 from '../platform/db/migrations/0002-monitor-tags.js';
import * as apiKeys0003 from '../platform/db/migrations/0003-api-keys.js';
import * as consoleSessions0004 from '../platform/db/migrations/0004-console-sessions.js';
import * as workspaceEvents0005 from '../platform/db/migrations/0005-workspace-events.js';
import * as workspaceDeliveries0006 from '../platform/db/migrations/0006-workspace-deliveries.js';
import * as sharedEvidence0007 from '../platform/db/migrations/0007-shared-evidence.js';
import * as worstSeverity0008 from '../platform/db/migrations/0008-worst-severity.js';
import * as dirtyBucketsInOrder0009 from '../platform/db/migrations/0009-dirty-buckets-in-order.js';
import * as regionSites0010 from '../platform/db/migrations/0010-region-sites.js';
import * as monitorCountIndex0011 from '../platform/db/migrations/0011-monitor-count-index.js';
import * as ownershipShards0012 from '../platform/db/migrations/0012-ownership-shards.js';
import * as workspacePeopleEvents0013 from '../platform/db/migrations/0013-workspace-people-events.js';
import * as deliveryAttempts0014 from '../platform/db/migrations/0014-delivery-attempts.js';
import * as ownerOfNewMonitors0015 from '../platform/db/migrations/0015-owner-of-new-monitors.js';
import * as schemaVersion0016 from '../platform/db/migrations/0016-schema-version.js';
import * as maintenanceWindows0017 from '../platform/db/migrations/0017-maintenance-windows.js';
import * as heldMonitors0018 from '../platform/db/migrations/0018-held-monitors.js';
import * as heartbeats0019 from '../platform/db/migrations/0019-heartbeats.js';
import * as heartbeatIncidents0020 from '../platform/db/migrations/0020-heartbeat-incidents.js';
import * as announcedMaintenance0021 from '../platform/db/migrations/0021-announced-maintenance.js';
import * as packedResults0022 from '../platform/db/migrations/0022-packed-results.js';
import * as packedResultsOnly0023 from '../platform/db/migrations/0023-packed-results-only.js';
import * as managedObjects0024 from '../platform/db/migrations/0024-managed-objects.js';
import * as periodsOfWorkspaces0025 from '../platform/db/migrations/0025-periods-of-workspaces.js';
import * as importedPingTokens0026 from '../platform/db/migrations/0026-imported-ping-tokens.js';
import * as notifiedMaintenance0027 from '../platform/db/migrations/0027-notified-maintenance.js';
import * as dependencies0028 from '../platform/db/migrations/0028-dependencies.js';
import * as cancelledOccurrences0029 from '../platform/db/migrations/0029-cancelled-occurrences.js';
import * as oldHeartbeatChanges0030 from '../platform/db/migrations/0030-old-heartbeat-changes.js';
import * as jointPages0031 from '../platform/db/migrations/0031-joint-pages.js';
import * as leaseTimes0032 from '../platform/db/migrations/0032-lease-times.js';
import * as dependents0033 from '../platform/db/migrations/0033-dependents.js';
import * as eventsOfStatements0034 from '../platform/db/migrations/0034-events-of-statements.js';
import * as dependenciesByName0035 from '../platform/db/migrations/0035-dependencies-by-name.js';
import * as unheldHeartbeats0036 from '../platform/db/migrations/0036-unheld-heartbeats.js';
import * as purgedRevision0037 from '../platform/db/migrations/0037-purged-revision.js';
import * as returnedOutages0038 from '../platform/db/migrations/0038-returned-outages.js';
import * as regionsOfShortZones0039 from '../platform/db/migrations/0039-regions-of-short-zones.js';
import * as lateResultsInOrder0040 from '../platform/db/migrations/0040-late-results-in-order.js';
import * as lifetimesOfCertificates0041 from '../platform/db/migrations/0041-lifetimes-of-certificates.js';
import * as channelsWithoutLists0042 from '../platform/db/migrations/0042-channels-without-lists.js';
import * as seenValues0043 from '../platform/db/migrations/0043-seen-values.js';
import * as answers0044 from '../platform/db/migrations/0044-answers.js';
import * as settingsOfMonitors0045 from '../platform/db/migrations/0045-settings-of-monitors.js';

export const entities = [
  apiKeyEntity,
  auditEntryEntity,
  acknowledgeLinkEntity,
  evidenceLinkEntity,
  managedObjectEntity,
  agentEntity,
  certificateEntity,
  membershipEntity,
  incidentEntity,
  maintenanceWindowEntity,
  monitorEntity,
  serviceGroupEntity,
  scheduleEntity,
  teamEntity,
  pagingEntity,
  planUseEntity,
  recipientEntity,
  actionGroupEntity,
  sentReportEntity,
  consoleSessionEntity,
  statusPageEntity,
  subscriberEntity,
  timelineEntity,
  userAccountEntity,
  trustEntity,
  invitationEntity,
  workspaceEntity,
  providerEntity,
  installationEntity,
  idempotencyKeyEntity,
  endedSessionEntity,
].flatMap((module) => Object.values<new () => object>(module));

export const migrations = [
  baseline0001,
  monitorTags0002,
  apiKeys0003,
  consoleSessions0004,
  workspaceEvents0005,
  workspaceDeliveries0006,
  sharedEvidence0007,
  worstSeverity0008,
  dirtyBucketsInOrder0009,
  regionSites0010,
  monitorCountIndex0011,
  ownershipShards0012,
  workspacePeopleEvents0013,
  deliveryAttempts0014,
  ownerOfNewMonitors0015,
  schemaVersion0016,
  maintenanceWindows0017,
  heldMonitors0018,
  heartbeats0019,
  heartbeatIncidents0020,
  announcedMaintenance0021,
  packedResults0022,
  packedResultsOnly0023,
  managedObjects0024,
  periodsOfWorkspaces0025,
  importedPingTokens0026,
  notifiedMaintenance0027,
  dependencies0028,
  cancelledOccurrences0029,
  oldHeartbeatChanges0030,
  jointPages0031,
  leaseTimes0032,
  dependents0033,
  eventsOfStatements0034,
  dependenciesByName0035,
  unheldHeartbeats0036,
  purgedRevision0037,
  returnedOutages0038,
  regionsOfShortZones0039,
  lateResultsInOrder0040,
  lifetimesOfCertificates0041,
  channelsWithoutLists0042,
  seenValues0043,
  answers0044,
  settingsOfMonitors0045,
].flatMap((module) => Object.values<new () => Migration>(module));
