import { checkKindOfCode, type CheckKey } from '@watchpost/shared/check';
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

/**
 * The newest scheduled time with a result of a place, for each check of these monitors that has one: after a takeover
 * the new check owner continues from there. Of all workspaces, like agents.
 */
export async function readNewestScheduledTimes(
  tx: Tx,
  placeCode: number,
  monitorKeys: readonly number[],
): Promise<{ key: CheckKey; completedThroughMs: number }[]> {
  const rows = await tx.query<{ monitorKey: number; kind: number; completedThroughMs: number }>(
    `SELECT monitor_key AS "monitorKey", kind, (extract(epoch FROM last_scheduled_at) * 1000)::bigint AS "completedThroughMs"
     FROM series WHERE region = $1 AND monitor_key = ANY($2::bigint[]) AND last_scheduled_at IS NOT NULL`,
    [placeCode, monitorKeys],
  );
  return rows.flatMap(({ monitorKey, kind: code, completedThroughMs }) => {
    const kind = checkKindOfCode(code);
    return kind ? [{ key: { monitorKey, kind }, completedThroughMs }] : [];
  });
}

export async function readOwnKeys(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
): Promise<ReadonlySet<number>> {
  return new Set(
    await tx.column<number>(
      'SELECT monitor_key FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = ANY ($2)',
      [workspaceId, monitorKeys],
    ),
  );
}
