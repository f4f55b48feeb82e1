import type { MigrationInterface, QueryRunner } from 'typeorm';
import { alertTables, alertViews, deliveryTables } from './0001-baseline/alerts.js';
import { auditTables } from './0001-baseline/audit.js';
import { embeddedProviderTables } from './0001-baseline/embedded-provider.js';
import { fleetTables, fleetViews } from './0001-baseline/fleet.js';
import { incidentTables, incidentViews } from './0001-baseline/incidents.js';
import { monitorTables, monitorViews } from './0001-baseline/monitors.js';
import { onCallTables, onCallViews } from './0001-baseline/on-call.js';
import { planTables, planViews } from './0001-baseline/plans.js';
import { platformTables } from './0001-baseline/platform.js';
import { reportTables } from './0001-baseline/reports.js';
import { checkDetailTables, resultTables, resultViews, rollupTables, trustTables } from './0001-baseline/results.js';
import { statusPageTables, statusPageViews } from './0001-baseline/status-pages.js';
import { userTables } from './0001-baseline/users.js';
import { workspaceTables, workspaceViews } from './0001-baseline/workspaces.js';

/** Tables first, referenced ones before those that reference them. Views join the tables of several capabilities. */
const STATEMENTS = [
  platformTables,
  embeddedProviderTables,
  userTables,
  planTables,
  workspaceTables,
  auditTables,
  monitorTables,
  onCallTables,
  incidentTables,
  alertTables,
  deliveryTables,
  resultTables,
  checkDetailTables,
  rollupTables,
  trustTables,
  fleetTables,
  statusPageTables,
  reportTables,
  planViews,
  workspaceViews,
  onCallViews,
  monitorViews,
  incidentViews,
  alertViews,
  resultViews,
  fleetViews,
  statusPageViews,
];

/** Creates the schema from nothing. */
export class Baseline1763800000001 implements MigrationInterface {
  name = 'Baseline1763800000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statements of STATEMENTS) await runner.query(statements);
  }

  /** Reverting the baseline would delete all data, which a revert must never do by accident. */
  async down(): Promise<void> {
    throw new Error('The baseline cannot be reverted. To start from nothing, drop the database and create it again.');
  }
}
