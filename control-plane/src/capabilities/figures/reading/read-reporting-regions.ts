import { checkKindOfCode, type CheckKind } from '@watchpost/shared/check';
import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { reportingStore } from './reporting-store.js';

/** A region that has a fresh result of one kind of check of a monitor. */
export interface ReportingRegion {
  monitorKey: number;
  kind: CheckKind;
  region: Region;
}

/** The regions from which fresh results of these monitors are known, as far as the monitors belong to the workspace. */
export async function readReportingRegions(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  nowMs: number,
): Promise<ReportingRegion[]> {
  const rows = await reportingStore.fresh(workspaceId, tx, monitorKeys, new Date(nowMs));
  return rows.map(({ monitorKey, kind, region }) => ({
    monitorKey,
    kind: checkKindOfCode(kind)!,
    region: regionOfCode(region),
  }));
}
