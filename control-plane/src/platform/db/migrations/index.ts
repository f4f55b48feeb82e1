import { Baseline1763800000001 } from './0001-baseline.js';
import { MonitorTags1763900000002 } from './0002-monitor-tags.js';
import { ApiKeys1763900000003 } from './0003-api-keys.js';
import { ConsoleSessions1763900000004 } from './0004-console-sessions.js';
import { WorkspaceEvents1763900000005 } from './0005-workspace-events.js';
import { WorkspaceDeliveries1763900000006 } from './0006-workspace-deliveries.js';
import { SharedEvidence1763900000007 } from './0007-shared-evidence.js';
import { WorstSeverity1763900000008 } from './0008-worst-severity.js';
import { DirtyBucketsInOrder1763900000009 } from './0009-dirty-buckets-in-order.js';
import { RegionSites1763900000010 } from './0010-region-sites.js';
import { MonitorCountIndex1763900000011 } from './0011-monitor-count-index.js';
import { OwnershipShards1763900000012 } from './0012-ownership-shards.js';
import { WorkspacePeopleEvents1763900000013 } from './0013-workspace-people-events.js';
import { DeliveryAttempts1763900000014 } from './0014-delivery-attempts.js';
import { OwnerOfNewMonitors1763900000015 } from './0015-owner-of-new-monitors.js';
import { SchemaVersion1763900000016 } from './0016-schema-version.js';
import { MaintenanceWindows1763900000017 } from './0017-maintenance-windows.js';
import { HeldMonitors1763900000018 } from './0018-held-monitors.js';
import { Heartbeats1763900000019 } from './0019-heartbeats.js';
import { HeartbeatIncidents1763900000020 } from './0020-heartbeat-incidents.js';
import { AnnouncedMaintenance1763900000021 } from './0021-announced-maintenance.js';
import { PackedResults1763900000022 } from './0022-packed-results.js';
import { PackedResultsOnly1763900000023 } from './0023-packed-results-only.js';
import { ManagedObjects1763900000024 } from './0024-managed-objects.js';
import { PeriodsOfWorkspaces1763900000025 } from './0025-periods-of-workspaces.js';
import { ImportedPingTokens1763900000026 } from './0026-imported-ping-tokens.js';
import { NotifiedMaintenance1763900000027 } from './0027-notified-maintenance.js';
import { Dependencies1763900000028 } from './0028-dependencies.js';
import { CancelledOccurrences1763900000029 } from './0029-cancelled-occurrences.js';
import { OldHeartbeatChanges1763900000030 } from './0030-old-heartbeat-changes.js';
import { JointPages1763900000031 } from './0031-joint-pages.js';
import { LeaseTimes1763900000032 } from './0032-lease-times.js';
import { Dependents1763900000033 } from './0033-dependents.js';
import { EventsOfStatements1763900000034 } from './0034-events-of-statements.js';
import { DependenciesByName1763900000035 } from './0035-dependencies-by-name.js';
import { UnheldHeartbeats1763900000036 } from './0036-unheld-heartbeats.js';
import { PurgedRevision1763900000037 } from './0037-purged-revision.js';
import { ReturnedOutages1763900000038 } from './0038-returned-outages.js';
import { RegionsOfShortZones1763900000039 } from './0039-regions-of-short-zones.js';
import { LateResultsInOrder1763900000040 } from './0040-late-results-in-order.js';
import { LifetimesOfCertificates1763900000041 } from './0041-lifetimes-of-certificates.js';
import { ChannelsWithoutLists1763900000042 } from './0042-channels-without-lists.js';
import { SeenValues1763900000043 } from './0043-seen-values.js';
import { Answers1763900000044 } from './0044-answers.js';

/** The first migration: a database without it is empty, or of a version that was never released. */
export const baseline = Baseline1763800000001;

/** In the order in which they run. A released migration is never edited: a change is a new one. */
export const migrations = [
  baseline,
  MonitorTags1763900000002,
  ApiKeys1763900000003,
  ConsoleSessions1763900000004,
  WorkspaceEvents1763900000005,
  WorkspaceDeliveries1763900000006,
  SharedEvidence1763900000007,
  WorstSeverity1763900000008,
  DirtyBucketsInOrder1763900000009,
  RegionSites1763900000010,
  MonitorCountIndex1763900000011,
  OwnershipShards1763900000012,
  WorkspacePeopleEvents1763900000013,
  DeliveryAttempts1763900000014,
  OwnerOfNewMonitors1763900000015,
  SchemaVersion1763900000016,
  MaintenanceWindows1763900000017,
  HeldMonitors1763900000018,
  Heartbeats1763900000019,
  HeartbeatIncidents1763900000020,
  AnnouncedMaintenance1763900000021,
  PackedResults1763900000022,
  PackedResultsOnly1763900000023,
  ManagedObjects1763900000024,
  PeriodsOfWorkspaces1763900000025,
  ImportedPingTokens1763900000026,
  NotifiedMaintenance1763900000027,
  Dependencies1763900000028,
  CancelledOccurrences1763900000029,
  OldHeartbeatChanges1763900000030,
  JointPages1763900000031,
  LeaseTimes1763900000032,
  Dependents1763900000033,
  EventsOfStatements1763900000034,
  DependenciesByName1763900000035,
  UnheldHeartbeats1763900000036,
  PurgedRevision1763900000037,
  ReturnedOutages1763900000038,
  RegionsOfShortZones1763900000039,
  LateResultsInOrder1763900000040,
  LifetimesOfCertificates1763900000041,
  ChannelsWithoutLists1763900000042,
  SeenValues1763900000043,
  Answers1763900000044,
];
