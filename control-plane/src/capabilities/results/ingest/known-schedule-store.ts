import type { Tx } from '../../../platform/db/database.js';
import type { KnownSchedule } from './decide-was-scheduled.js';

const MS = (moment: string) => `(extract(epoch FROM ${moment}) * 1000)::float8`;

/** The schedules of these monitors, of all workspaces; unknown monitors are left out. */
export async function readKnownSchedules(
  tx: Tx,
  monitorKeys: readonly number[],
): Promise<ReadonlyMap<number, KnownSchedule>> {
  const rows = await tx.query<KnownSchedule & { monitorKey: number }>(
    `SELECT monitor_key AS "monitorKey", ${MS('created')} AS "createdMs", ${MS('checks_changed')} AS "changedMs",
       interval_ms AS "intervalMs", ${MS('known_since')} AS "knownSinceMs", former_intervals_ms AS "formerIntervalsMs",
       ARRAY(SELECT ${MS('change')} FROM unnest(former_changes) AS change) AS "formerChangesMs"
     FROM known_schedule WHERE monitor_key = ANY ($1::bigint[])`,
    [monitorKeys],
  );
  return new Map(rows.map((row) => [row.monitorKey, row]));
}
