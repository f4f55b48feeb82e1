import { checkedFrom, EXTRA_REGIONS, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../platform/db/database.js';
import { type Entitlements } from '../plans/index.js';
import { coveredRegions } from './checks/decide-coverage.js';
import { monitorCountStore, type MonitorCountRow } from './monitor-count-store.js';

/** How many monitors of a workspace are in which state: each is in exactly one, and `total` is their sum. */
export interface MonitorCounts {
  available: number;
  degraded: number;
  unavailable: number;
  /** Enabled, and without a health status. */
  unknown: number;
  /** Enabled, and covered by a maintenance window, with any health status. */
  maintenance: number;
  /** Paused or disabled. */
  paused: number;
  total: number;
}

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
