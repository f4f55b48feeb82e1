import type { Tx } from '../../platform/db/database.js';
import type { Occurrence } from './decide-occurrences.js';
import { periodStore } from './period-store.js';

/**
 * When windows covered these monitors of the workspace, by monitor: in order, apart from each other, and cut to the period.
 * Monitors that were not covered are left out.
 */
export async function readCoveredTime(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  period: Occurrence,
): Promise<Map<number, Occurrence[]>> {
  const rows = await periodStore.within(workspaceId, tx, monitorKeys, new Date(period.startMs), new Date(period.endMs));
  const covered = new Map<number, Occurrence[]>();
  for (const { monitorKey, startMs, endMs } of rows.toSorted((a, b) => a.startMs - b.startMs)) {
    const cut = { startMs: Math.max(startMs, period.startMs), endMs: Math.min(endMs, period.endMs) };
    const own = covered.get(monitorKey) ?? [];
    covered.set(monitorKey, own);
    const last = own.at(-1);
    if (last && cut.startMs <= last.endMs) last.endMs = Math.max(last.endMs, cut.endMs);
    else own.push(cut);
  }
  return covered;
}

/** Those of these monitors, of any workspace, that a window covers at this time. */
export async function coveredMonitors(tx: Tx, monitorKeys: readonly number[], now: Date): Promise<ReadonlySet<number>> {
  return new Set(await periodStore.covered(tx, monitorKeys, now));
}
