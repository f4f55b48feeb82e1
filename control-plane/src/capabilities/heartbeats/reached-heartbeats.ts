import type { Tx } from '../../platform/db/database.js';
import type { HeartbeatSubject } from './heartbeat.js';
import { type HeartbeatChange, heartbeatStore } from './heartbeat-store.js';

export interface ReachedHeartbeat {
  subject: HeartbeatSubject;
  /** Null where the verdict stays. */
  change: HeartbeatChange | null;
}

/** The heartbeats among these monitors, by key. The caller holds the locks of their verdicts. */
export async function readHeartbeats(
  tx: Tx,
  monitorKeys: readonly number[],
): Promise<ReadonlyMap<number, HeartbeatSubject>> {
  if (monitorKeys.length === 0) return new Map();
  const subjects = await heartbeatStore.subjects(tx, monitorKeys);
  return new Map(subjects.map((subject) => [subject.monitorKey, subject]));
}

/** Writes the states of heartbeats and the changes of their timelines. */
export async function saveHeartbeats(tx: Tx, reached: readonly ReachedHeartbeat[]): Promise<void> {
  await heartbeatStore.save(
    tx,
    reached.map(({ subject: { monitorKey, state } }) => ({ monitorKey, state })),
  );
  await heartbeatStore.addChanges(
    tx,
    reached.flatMap(({ change }) => change ?? []),
  );
}
