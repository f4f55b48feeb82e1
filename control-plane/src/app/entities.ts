import { ActionGroupEntity, ActionGroupMonitorEntity } from '../capabilities/recipients/groups/action-group.entity.js';
import { EvidenceLinkEntity } from '../capabilities/delivery/links/evidence-link.entity.js';
import { AcknowledgeLinkEntity } from '../capabilities/delivery/links/acknowledge-link.entity.js';
import { IncidentPagingEntity } from '../capabilities/paging/paging.entity.js';
import { AlertRecipientEntity } from '../capabilities/recipients/consent/recipient.entity.js';
import { TimelineEventEntity } from '../capabilities/timeline/timeline.entity.js';
import { ApiKeyEntity } from '../capabilities/api-keys/api-key.entity.js';
import { AuditEntryEntity, UserNameEntity } from '../capabilities/audit/audit-entry.entity.js';
import { ConsoleSessionEntity } from '../capabilities/console/console-session.entity.js';
import { AgentEntity } from '../capabilities/fleet/agents/agent.entity.js';
import {
  AgentCertificateEntity,
  CertificateAuthorityEntity,
} from '../capabilities/fleet/certificates/certificate.entity.js';
import {
  FleetLeaseEntity,
  FleetProcessEntity,
  FleetRegionEntity,
} from '../capabilities/fleet/members/membership.entity.js';
import {
  IncidentDependentEntity,
  IncidentEntity,
  IncidentNoteEntity,
} from '../capabilities/incidents/incident.entity.js';
import {
  MaintenanceCancellationEntity,
  MaintenanceOccurrenceEntity,
  MaintenancePeriodEntity,
  MaintenanceWindowEntity,
} from '../capabilities/maintenance/maintenance-window.entity.js';
import {
  FormerScheduleEntity,
  MonitorEntity,
  ImportedPingTokenEntity,
  PingTokenEntity,
  RegionOwnerEntity,
  RegionSiteEntity,
} from '../capabilities/monitors/monitor.entity.js';
import { ManagedObjectEntity } from '../capabilities/documents/managed-object.entity.js';
import { ServiceGroupEntity } from '../capabilities/monitors/service-groups/service-group.entity.js';
import {
  OnCallCalendarLinkEntity,
  OnCallOverrideEntity,
  OnCallParticipantEntity,
  OnCallScheduleEntity,
} from '../capabilities/on-call/schedule.entity.js';
import { TeamEntity, TeamMemberEntity, TeamServiceGroupEntity } from '../capabilities/on-call/team.entity.js';
import { DailyBudgetEntity, SpentTrialEntity } from '../capabilities/plans/plan-use.entity.js';
import { SentReportEntity } from '../capabilities/reports/sent-report.entity.js';
import {
  OperatorNoticeEntity,
  SecondOpinionEntity,
  SuspectPeriodEntity,
} from '../capabilities/results/trust/trust.entity.js';
import {
  StatusPageEntity,
  StatusPagePostEntity,
  StatusPagePostUpdateEntity,
  StatusPageSystemEntity,
} from '../capabilities/status-pages/status-page.entity.js';
import {
  NotifiedMaintenanceEntity,
  NotifiedOutageEntity,
  StatusPageNoticeEntity,
  StatusPageSubscriberEntity,
} from '../capabilities/status-pages/subscribers/subscriber.entity.js';
import { UserAccountEntity } from '../capabilities/users/user-account.entity.js';
import { InvitationEntity, InvitationLinkEntity } from '../capabilities/workspaces/invitation.entity.js';
import { WorkspaceEntity, WorkspaceMemberEntity } from '../capabilities/workspaces/workspace.entity.js';
import {
  ProviderAccountEntity,
  ProviderRecordEntity,
  ProviderSetupEntity,
} from '../embedded/provider/provider.entity.js';
import { InstallationEntity } from '../platform/coordination/installation.entity.js';
import { IdempotencyKeyEntity, IdempotencyUsageEntity } from '../platform/http/serving/idempotency-key.entity.js';
import { EndedSessionEntity } from '../platform/mcp/ended-session.entity.js';

/** The configuration tables, from the ground up. The drift check compares them with the migrations. */
export const entities = [
  ActionGroupEntity,
  ActionGroupMonitorEntity,
  EvidenceLinkEntity,
  IncidentPagingEntity,
  AcknowledgeLinkEntity,
  AlertRecipientEntity,
  ApiKeyEntity,
  AuditEntryEntity,
  UserNameEntity,
  ConsoleSessionEntity,
  AgentEntity,
  CertificateAuthorityEntity,
  AgentCertificateEntity,
  FleetRegionEntity,
  FleetProcessEntity,
  FleetLeaseEntity,
  IncidentEntity,
  TimelineEventEntity,
  IncidentDependentEntity,
  IncidentNoteEntity,
  MonitorEntity,
  FormerScheduleEntity,
  ImportedPingTokenEntity,
  PingTokenEntity,
  RegionOwnerEntity,
  RegionSiteEntity,
  ManagedObjectEntity,
  ServiceGroupEntity,
  MaintenanceWindowEntity,
  MaintenanceOccurrenceEntity,
  MaintenanceCancellationEntity,
  MaintenancePeriodEntity,
  OnCallScheduleEntity,
  OnCallParticipantEntity,
  OnCallOverrideEntity,
  OnCallCalendarLinkEntity,
  TeamEntity,
  TeamMemberEntity,
  TeamServiceGroupEntity,
  SpentTrialEntity,
  DailyBudgetEntity,
  SentReportEntity,
  SuspectPeriodEntity,
  SecondOpinionEntity,
  OperatorNoticeEntity,
  StatusPageEntity,
  StatusPageSystemEntity,
  StatusPagePostEntity,
  StatusPagePostUpdateEntity,
  StatusPageSubscriberEntity,
  StatusPageNoticeEntity,
  NotifiedMaintenanceEntity,
  NotifiedOutageEntity,
  UserAccountEntity,
  InvitationEntity,
  InvitationLinkEntity,
  WorkspaceEntity,
  WorkspaceMemberEntity,
  ProviderRecordEntity,
  ProviderAccountEntity,
  ProviderSetupEntity,
  InstallationEntity,
  IdempotencyKeyEntity,
  IdempotencyUsageEntity,
  EndedSessionEntity,
];

/** Tables that no entity describes. SQL beside their stores is all that reads and writes them. */
export const TABLES_WITHOUT_ENTITY: Readonly<Record<string, string>> = {
  check_result: 'partitioned results',
  check_failure: 'partitioned results',
  check_answer: 'partitioned results',
  packed_result: 'partitioned results',
  late_result: 'queue of the packer',
  packing_progress: 'cursor of the packer',
  check_detail: 'partitioned results',
  check_rollup: 'rollups of results',
  check_rollup_day: 'rollups of results',
  dirty_bucket: 'queue of dirty buckets',
  rollup_progress: 'cursor of the rollups',
  purged_revision: 'newest revision of a purged monitor',
  series: 'state that results update',
  monitor_state: 'state that results update',
  last_answer: 'state that results update',
  notified_change: 'state that results update',
  heartbeat: 'state that pings update',
  heartbeat_change: 'history that pings write',
  ping: 'pings',
  ping_reception: 'until when pings could be received',
  ping_outage: 'when no ping could be received',
  alert_event: 'queue of delivery',
  delivery: 'queue of delivery',
  delivery_lane: 'queue of delivery',
  outgoing_mail: 'queue of delivery',
  workspace_event: 'events for streams, which triggers write',
  event_stream_lease: 'leases of open streams',
  schema_version: 'written by migrations that contract',
  local_mail: 'mailbox of an installation without a mail server',
};
