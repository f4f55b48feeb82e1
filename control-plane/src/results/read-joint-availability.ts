import type { Tx } from '../db/database.js';
import { jointAvailabilityStore, type MonitorCount, type MonitorSpan } from './joint-availability-store.js';

export interface JointPeriod {
  startMs: number;
  endMs: number;
}

/** What the results of many monitors said, and over which stretches of time. Monitors of other workspaces say nothing. */
export function readJointSpans(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  { startMs, endMs }: JointPeriod,
): Promise<MonitorSpan[]> {
  return jointAvailabilityStore.spans(workspaceId, tx, monitorKeys, new Date(startMs), new Date(endMs));
}

/** How many checks of many monitors were healthy, by stretches of `stepMs`. */
export function readJointCounts(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  { startMs, endMs }: JointPeriod,
  stepMs: number,
): Promise<MonitorCount[]> {
  return jointAvailabilityStore.counts(workspaceId, tx, monitorKeys, new Date(startMs), new Date(endMs), stepMs);
}
