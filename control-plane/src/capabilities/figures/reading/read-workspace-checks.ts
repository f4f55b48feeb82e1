import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { reportingStore } from './reporting-store.js';

export interface RegionChecks {
  region: Region;
  monitors: number;
  /** By the intervals of the monitors. */
  checksPerMinute: number;
  /** Those of them whose latest result is not overdue. */
  reportingPerMinute: number;
}

/** The checks of a workspace by region; regions without any are left out. One statement. */
export async function readWorkspaceChecks(tx: Tx, workspaceId: string, nowMs: number): Promise<RegionChecks[]> {
  const rows = await reportingStore.byRegion(workspaceId, tx, new Date(nowMs));
  return rows.map((row) => ({ ...row, region: regionOfCode(row.region) }));
}
