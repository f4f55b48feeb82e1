import type { Tx } from '../../db/database.js';
import type { RegionSpan } from './decide-timeline.js';
import { pieceStore } from '../rollup/piece-store.js';
import { readSaid, readSaidCounts } from '../rollup/read-said.js';

export interface JointPeriod {
  startMs: number;
  endMs: number;
}

export interface MonitorSpan extends RegionSpan {
  monitorKey: number;
}

/** Conclusive checks of a monitor, in all regions, that were due in a stretch of time. */
export interface MonitorCount {
  monitorKey: number;
  /** Where the stretch begins, ms since the epoch. */
  startMs: number;
  healthy: number;
  unhealthy: number;
}

/**
 * What the results of many monitors said, and over which stretches of time: what is asked for does not grow with
 * their number. Series are told apart within each monitor only. Monitors of other workspaces say nothing.
 */
export async function readJointSpans(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  period: JointPeriod,
): Promise<MonitorSpan[]> {
  const monitors = await pieceStore.monitors(workspaceId, tx, { monitorKeys }, period);
  const series = await readSaid(tx, workspaceId, monitors, period);
  return series.flatMap(({ monitorKey, kind, region, spans }) =>
    spans.map((span) => ({ ...span, monitorKey, series: kind * 256 + region })),
  );
}

/**
 * How many checks of many monitors were healthy, by stretches of `stepMs` that begin at whole multiples of it since
 * the epoch. From rollups where those are whole hours or days.
 */
export async function readJointCounts(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  period: JointPeriod,
  stepMs: number,
): Promise<MonitorCount[]> {
  const monitors = await pieceStore.monitors(workspaceId, tx, { monitorKeys }, period);
  const counts = await readSaidCounts(tx, workspaceId, monitors, period, stepMs);
  return counts.map(({ monitorKey, startMs, up, down }) => ({ monitorKey, startMs, healthy: up, unhealthy: down }));
}
