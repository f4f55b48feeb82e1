import type { Clock } from '@watchpost/shared/clock';
import { checkedFrom, EXTRA_REGIONS, type Region } from '@watchpost/shared/region';
import type { Database, ListPage, Rows, Tx } from '../../platform/db/database.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import type { Actor } from '../../platform/identity/caller.js';
import { type Entitlements } from '../plans/index.js';
import { coveredRegions } from './checks/decide-coverage.js';
import {
  monitorCountStore,
  type MonitorCountRow,
  type MonitorCounts,
  type MonitorGroup,
} from './monitor-count-store.js';

/** Counts the monitors of a workspace, and finds the regions that check them: the home region first. One statement. */
export async function countMonitors(
  tx: Tx,
  workspaceId: string,
  entitlements: Entitlements,
  nowMs: number,
): Promise<{ counts: MonitorCounts; regions: Region[] }> {
  const rows = await monitorCountStore.byState(workspaceId, tx, new Date(nowMs));
  const sum = (counted: readonly MonitorCountRow[], of: 'total' | 'covered' = 'total') =>
    counted.reduce((all, row) => all + row[of], 0);
  const checked = rows.filter((row) => row.monitoringStatus === 'enabled');
  const total = sum(rows);
  const paused = total - sum(checked);
  const maintenance = sum(checked, 'covered');
  const { available = 0, degraded = 0, unavailable = 0 } = rows[0]?.healths ?? {};
  const extra = new Set(checked.flatMap((row) => coveredRegions(row.enabledRegions, entitlements)));
  return {
    counts: {
      available,
      degraded,
      unavailable,
      unknown: total - paused - maintenance - available - degraded - unavailable,
      maintenance,
      paused,
      total,
    },
    regions: checkedFrom(
      checked.some(({ homeRegion }) => homeRegion),
      EXTRA_REGIONS.filter((region) => extra.has(region)),
      [],
    ),
  };
}

/**
 * Counts the monitors of each group of a workspace, the worst first. One statement.
 * @param by see `groupingText`
 */
export function countMonitorGroups(
  { db, clock }: { db: Database; clock: Clock },
  { workspace }: Actor,
  by: string,
  rows: Rows,
): Promise<ListPage<MonitorGroup>> {
  const now = new Date(clock.now());
  return db.read((tx) => monitorCountStore.byGroup(workspace.workspaceId, keptStatements(tx), by, now, rows));
}
