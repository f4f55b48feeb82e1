import { Accounts1763700000001 } from './0001-accounts.js';
import { Monitors1763700000002 } from './0002-monitors.js';
import { Fleet1763700000003 } from './0003-fleet.js';
import { Results1763700000004 } from './0004-results.js';
import { Incidents1763700000005 } from './0005-incidents.js';
import { Http1763700000006 } from './0006-http.js';
import { Identity1763700000007 } from './0007-identity.js';
import { MonitorView1763700000008 } from './0008-monitor-view.js';
import { ServiceGroups1763700000009 } from './0009-service-groups.js';
import { OnCall1763700000010 } from './0010-on-call.js';
import { AccountsAndInvitations1763700000011 } from './0011-accounts-2.js';
import { Alerts1763700000012 } from './0012-alerts.js';
import { StatusPages1763700000013 } from './0013-status-pages.js';
import { AccountUsage1763700000014 } from './0014-account-usage.js';
import { SpentTrials1763700000015 } from './0015-spent-trials.js';
import { AlertEvents1763700000016 } from './0016-alert-events.js';
import { CheckDetails1763700000017 } from './0017-check-details.js';
import { Rollups1763700000018 } from './0018-rollups.js';
import { AgentCertificates1763700000019 } from './0019-agent-certificates.js';
import { Processes1763700000020 } from './0020-processes.js';
import { Trust1763700000021 } from './0021-trust.js';
import { Paging1763700000022 } from './0022-paging.js';
import { Subscribers1763700000023 } from './0023-subscribers.js';
import { Reports1763700000024 } from './0024-reports.js';
import { Mcp1763700000025 } from './0025-mcp.js';
import { FormerSchedules1763700000027 } from './0027-former-schedules.js';
import { EvidenceAndCalendars1763700000028 } from './0028-evidence-and-calendars.js';
import { AuthorityRotation1763700000029 } from './0029-authority-rotation.js';
import { ConclusiveStandings1763700000030 } from './0030-conclusive-standings.js';
import { IndependentSites1763700000031 } from './0031-independent-sites.js';
import { UnmaskedEvidence1763700000038 } from './0038-unmasked-evidence.js';
import { IdempotencyLimits1763700000039 } from './0039-idempotency-limits.js';
import { ReachabilityOfSystems1763700000042 } from './0042-reachability-of-systems.js';
import { ToldOutagesGoWithIncidents1763700000043 } from './0043-told-outages-go-with-incidents.js';
import { FairDelivery1763700000046 } from './0046-fair-delivery.js';
import { EvidenceLinks1763700000047 } from './0047-evidence-links.js';
import { SuspendedAccounts1763700000048 } from './0048-suspended-accounts.js';
import { Recipients1763700000050 } from './0050-recipients.js';
import { InvitationLinks1763700000054 } from './0054-invitation-links.js';
import { EmailAsOf1763700000055 } from './0055-email-as-of.js';
import { OwnedSince1763700000056 } from './0056-owned-since.js';
import { Audit1763700000058 } from './0058-audit.js';
import { AuditActions1763700000059 } from './0059-audit-actions.js';

/** In the order in which they run. Never edited once released: a change is a new one. */
export const migrations = [
  Accounts1763700000001,
  Monitors1763700000002,
  Fleet1763700000003,
  Results1763700000004,
  Incidents1763700000005,
  Http1763700000006,
  Identity1763700000007,
  MonitorView1763700000008,
  ServiceGroups1763700000009,
  OnCall1763700000010,
  AccountsAndInvitations1763700000011,
  Alerts1763700000012,
  StatusPages1763700000013,
  AccountUsage1763700000014,
  SpentTrials1763700000015,
  AlertEvents1763700000016,
  CheckDetails1763700000017,
  Rollups1763700000018,
  AgentCertificates1763700000019,
  Processes1763700000020,
  Trust1763700000021,
  Paging1763700000022,
  Subscribers1763700000023,
  Reports1763700000024,
  Mcp1763700000025,
  FormerSchedules1763700000027,
  EvidenceAndCalendars1763700000028,
  AuthorityRotation1763700000029,
  ConclusiveStandings1763700000030,
  IndependentSites1763700000031,
  UnmaskedEvidence1763700000038,
  IdempotencyLimits1763700000039,
  ReachabilityOfSystems1763700000042,
  ToldOutagesGoWithIncidents1763700000043,
  FairDelivery1763700000046,
  EvidenceLinks1763700000047,
  SuspendedAccounts1763700000048,
  Recipients1763700000050,
  InvitationLinks1763700000054,
  EmailAsOf1763700000055,
  OwnedSince1763700000056,
  Audit1763700000058,
  AuditActions1763700000059,
];
