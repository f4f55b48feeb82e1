import type { Tx } from '../../../platform/db/database.js';
import { readCoveredTime } from '../../maintenance/index.js';
import type { Range } from '../rollup/decide-bucket-plan.js';
import type { SeriesCounts } from '../rollup/inside-count-store.js';
import { readInsideCounts } from '../rollup/read-inside-counts.js';
import { decideUptime } from './decide-timeline.js';

export interface Maintenance {
  /** By monitor; in order, apart, within the period. Monitors that were not covered are left out. */
  covered: ReadonlyMap<number, readonly Range[]>;
  /** The conclusive checks in it, by series. */
  inside: readonly SeriesCounts[];
}

/** @param rowsFromMs since when single results are kept */
export async function readMaintenance(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  period: Range,
  rowsFromMs: number,
): Promise<Maintenance> {
  const covered = await readCoveredTime(tx, workspaceId, monitorKeys, period);
  const inside = covered.size === 0 ? [] : await readInsideCounts(tx, workspaceId, covered, { rowsFromMs });
  return { covered, inside };
}

/** The series with only those checks counted that were outside maintenance. */
export function outsideMaintenance<
  Series extends { monitorKey: number; kind: number; region: number; up: number; down: number },
>(series: readonly Series[], { inside }: Pick<Maintenance, 'inside'>): Series[] {
  return series.map((own) => {
    const hidden = inside.filter(
      ({ monitorKey, kind, region }) => monitorKey === own.monitorKey && kind === own.kind && region === own.region,
    );
    return hidden.length === 0 ? own : { ...own, ...countsOutside(own, hidden) };
  });
}

/** Less than a millisecond in minutes of a heartbeat: what is left of a difference of sums. */
const NOTHING = 1e-6;

/** Counts without those that maintenance hides. */
export function countsOutside(
  all: { up: number; down: number },
  hidden: readonly { up: number; down: number }[],
): { up: number; down: number } {
  const left = (of: 'up' | 'down') => {
    const rest = all[of] - hidden.reduce((sum, counts) => sum + counts[of], 0);
    return rest < NOTHING ? 0 : rest;
  };
  return { up: left('up'), down: left('down') };
}

/** What answers about one monitor contain of maintenance. @param all the checks of the period, those in maintenance included */
export function describeMaintenance(
  { covered }: Pick<Maintenance, 'covered'>,
  monitorKey: number,
  all: { healthy: number; unhealthy: number },
) {
  const ranges = covered.get(monitorKey) ?? [];
  return {
    maintenanceSeconds: Math.round(ranges.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1_000),
    uptimePercentageWithMaintenance: decideUptime(all.healthy, all.unhealthy),
  };
}
