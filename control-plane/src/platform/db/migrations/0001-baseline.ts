import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';
import { alertsTables, alertsViews } from './0001-baseline/alerts.js';
import { auditTables, auditTriggers } from './0001-baseline/audit.js';
import { deliveryTables } from './0001-baseline/delivery.js';
import { documentsTables } from './0001-baseline/documents.js';
import { domainsTables } from './0001-baseline/domains.js';
import { embeddedProviderTables } from './0001-baseline/embedded-provider.js';
import { eventsTables, eventsTriggers } from './0001-baseline/events.js';
import { fleetTables, fleetViews } from './0001-baseline/fleet.js';
import { heartbeatsTables, heartbeatsViews } from './0001-baseline/heartbeats.js';
import { incidentsTables, incidentsViews } from './0001-baseline/incidents.js';
import { locationsTables } from './0001-baseline/locations.js';
import { maintenanceTables, maintenanceViews } from './0001-baseline/maintenance.js';
import { markTables } from './0001-baseline/marks.js';
import { monitorsTables, monitorsTriggers, monitorsViews } from './0001-baseline/monitors.js';
import { onCallTables, onCallViews } from './0001-baseline/on-call.js';
import { packingTables, packingTriggers } from './0001-baseline/packing.js';
import { plansTables, plansViews } from './0001-baseline/plans.js';
import { platformTables } from './0001-baseline/platform.js';
import { reportsTables } from './0001-baseline/reports.js';
import { resultsTables } from './0001-baseline/results.js';
import { statusPagesTables, statusPagesViews } from './0001-baseline/status-pages.js';
import { usersTables } from './0001-baseline/users.js';
import { workspacesTables, workspacesViews } from './0001-baseline/workspaces.js';

/** Tables first, referenced ones before those that reference them. Triggers and views use the tables of several capabilities. */
const STATEMENTS = [
  platformTables,
  embeddedProviderTables,
  usersTables,
  plansTables,
  workspacesTables,
  auditTables,
  monitorsTables,
  onCallTables,
  incidentsTables,
  alertsTables,
  deliveryTables,
  resultsTables,
  locationsTables,
  fleetTables,
  statusPagesTables,
  reportsTables,
  eventsTables,
  maintenanceTables,
  markTables,
  heartbeatsTables,
  domainsTables,
  packingTables,
  documentsTables,
  auditTriggers,
  monitorsTriggers,
  eventsTriggers,
  packingTriggers,
  plansViews,
  workspacesViews,
  monitorsViews,
  onCallViews,
  incidentsViews,
  alertsViews,
  fleetViews,
  statusPagesViews,
  maintenanceViews,
  heartbeatsViews,
];

export class Baseline1763900000001 implements Migration {
  readonly name = 'Baseline1763900000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statements of STATEMENTS) await runner.query(statements);
  }

  /** Reverting the baseline would delete all data, which a revert must never do by accident. */
  async down(): Promise<void> {
    throw new Error('The baseline cannot be reverted. To start from nothing, drop the database and create it again.');
  }
}
