import type { Tx } from '../../platform/db/database.js';
import { decideHeartbeatSpans, type HeartbeatSpan } from './decide-heartbeat-spans.js';
import { spanStore } from './span-store.js';

/**
 * When heartbeats were available and unavailable in a period, by monitor. Monitors that are no heartbeats, or of other workspaces, have none.
 */
export async function readHeartbeatSpans(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  { startMs, endMs }: { startMs: number; endMs: number },
): Promise<Map<number, HeartbeatSpan[]>> {
  const [from, until] = [new Date(startMs), new Date(endMs)];
  const changes = await spanStore.changes(workspaceId, tx, monitorKeys, from, until);
  if (changes.length === 0) return new Map();
  const outages = await spanStore.outages(tx, from, until);
  return new Map(
    changes.map(({ monitorKey, expectedByMs, changes: own }) => [
      monitorKey,
      decideHeartbeatSpans(own, { startMs, endMs, expectedByMs }, outages),
    ]),
  );
}
