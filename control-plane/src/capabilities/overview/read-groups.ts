import type { ListPage, Rows } from '../../platform/db/database.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import type { Actor } from '../../platform/identity/caller.js';
import { countMonitorGroups } from '../monitors/index.js';
import type { OverviewDeps } from './overview-deps.js';
import type { MonitorGroup } from './overview-schemas.js';

/**
 * The groups of the workspace's monitors, the worst first. One statement.
 * @param by see `groupingText`
 */
export async function readGroups(
  { db, clock }: OverviewDeps,
  { workspace }: Actor,
  by: string,
  rows: Rows,
): Promise<ListPage<MonitorGroup>> {
  return db.read((tx) => countMonitorGroups(keptStatements(tx), workspace.workspaceId, by, clock.now(), rows));
}
