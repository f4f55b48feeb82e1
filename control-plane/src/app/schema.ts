// Every entity and every migration, in order. Written by "npm run generate"; do not edit.
import type { Migration } from '../platform/db/migration.js';
import * as apiKeyEntity from '../capabilities/api-keys/api-key.entity.js';
import * as auditEntryEntity from '../capabilities/audit/audit-entry.entity.js';
import * as acknowledgeLinkEntity from '../capabilities/delivery/links/acknowledge-link.entity.js';
import * as evidenceLinkEntity from '../capabilities/delivery/links/evidence-link.entity.js';
import * as channelMessageEntity from '../capabilities/delivery/queue/channel-message.entity.js';
import * as notificationWaitEntity from '../capabilities/delivery/rules/notification-wait.entity.js';
import * as managedObjectEntity from '../capabilities/documents/managed-object.entity.js';
import * as domainEntity from '../capabilities/domains/domain.entity.js';
import * as agentEntity from '../capabilities/fleet/agents/agent.entity.js';
import * as certificateEntity from '../capabilities/fleet/certificates/certificate.entity.js';
import * as membershipEntity from '../capabilities/fleet/members/membership.entity.js';
import * as incidentEntity from '../capabilities/incidents/incident.entity.js';
import * as serviceCallEntity from '../capabilities/incidents/service-calls/service-call.entity.js';
import * as privateLocationEntity from '../capabilities/locations/private-location.entity.js';
import * as maintenanceWindowEntity from '../capabilities/maintenance/maintenance-window.entity.js';
import * as markEntity from '../capabilities/marks/mark.entity.js';
import * as monitorEntity from '../capabilities/monitors/monitor.entity.js';
import * as serviceGroupEntity from '../capabilities/monitors/service-groups/service-group.entity.js';
import * as escalationPolicyEntity from '../capabilities/on-call/escalation-policy.entity.js';
import * as scheduleEntity from '../capabilities/on-call/schedule.entity.js';
import * as teamEntity from '../capabilities/on-call/team.entity.js';
import * as pageReminderEntity from '../capabilities/paging/page-reminder.entity.js';
import * as pagingEntity from '../capabilities/paging/paging.entity.js';
import * as planUseEntity from '../capabilities/plans/plan-use.entity.js';
import * as chatAccountEntity from '../capabilities/recipients/chat-accounts/chat-account.entity.js';
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

export const entities = [
  apiKeyEntity,
  auditEntryEntity,
  acknowledgeLinkEntity,
  evidenceLinkEntity,
  channelMessageEntity,
  notificationWaitEntity,
  managedObjectEntity,
  domainEntity,
  agentEntity,
  certificateEntity,
  membershipEntity,
  incidentEntity,
  serviceCallEntity,
  privateLocationEntity,
  maintenanceWindowEntity,
  markEntity,
  monitorEntity,
  serviceGroupEntity,
  escalationPolicyEntity,
  scheduleEntity,
  teamEntity,
  pageReminderEntity,
  pagingEntity,
  planUseEntity,
  chatAccountEntity,
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

export const migrations = [baseline0001].flatMap((module) => Object.values<new () => Migration>(module));
