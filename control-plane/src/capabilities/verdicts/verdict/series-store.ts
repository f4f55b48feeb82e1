import { CHECK_KIND_CODES, type CheckKind } from '@watchpost/shared/check';
import { regionCode } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { markDirtyBuckets } from '../series/mark-dirty-buckets.js';
import { AWAITED_INTERVALS } from '../series/series.js';
import type { CheckedMonitor } from './verdict-store.js';

/** A series and when its last conclusive result was scheduled, as text of the database; null: it has none. */
interface LastResult {
  monitorKey: number;
  kind: number;
  region: number;
  conclusiveAt: string | null;
}

const LAST_RESULT = 'monitor_key AS "monitorKey", kind, region, conclusive_at::text AS "conclusiveAt"';

/** Locks all series of monitors, in the same order as ingest. */
async function lockSeries(tx: Tx, monitorKeys: readonly number[]): Promise<LastResult[]> {
  return tx.query<LastResult>(
    `SELECT ${LAST_RESULT} FROM series WHERE monitor_key = ANY ($1) ORDER BY monitor_key, kind, region FOR UPDATE`,
    [monitorKeys],
  );
}

/** Ends the freshness of the last results of series that are no longer checked, or the timeline would continue with them. */
async function endFreshness(tx: Tx, series: readonly LastResult[], now: Date): Promise<void> {
  if (series.length === 0) return;
  const cut = await tx.query<{ monitorKey: number; startsMs: number }>(
    `UPDATE check_result SET fresh_s = greatest(0, ceil(extract(epoch FROM $5::timestamptz - check_result.scheduled_at)))::smallint
     FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::timestamptz[]) AS last (monitor_key, kind, region, scheduled_at)
     WHERE check_result.monitor_key = last.monitor_key AND check_result.kind = last.kind
       AND check_result.region = last.region AND check_result.scheduled_at = last.scheduled_at
       AND check_result.scheduled_at >= $5::timestamptz - interval '9 hours'
       AND check_result.scheduled_at + check_result.fresh_s * interval '1 s' > $5::timestamptz
     RETURNING check_result.monitor_key AS "monitorKey",
       (date_part('epoch', date_bin('1 hour', check_result.scheduled_at, 'epoch')) * 1000)::bigint AS "startsMs"`,
    [
      series.map(({ monitorKey }) => monitorKey),
      series.map(({ kind }) => kind),
      series.map(({ region }) => region),
      series.map(({ conclusiveAt }) => conclusiveAt),
      now,
    ],
  );
  await markDirtyBuckets(tx, cut);
}

/**
 * Changes of the series and verdicts of monitors when the monitors themselves change. Locks rows in the order of
 * docs/decisions/0038-lock-order-of-results.md: all series first.
 */
export const seriesStore = {
  /**
   * Creates or resets the series of monitors that are checked from `changedMs` on. Streaks start again, because earlier
   * results are about former settings. `failing` stays until new results change it, so that an edit neither closes nor
   * opens an incident. Deletes series of regions and kinds that are no longer checked.
   */
  async restart(
    workspaceId: string,
    tx: Tx,
    monitors: readonly (CheckedMonitor & { kinds: readonly CheckKind[] })[],
    now: Date,
  ): Promise<void> {
    const monitorKeys = monitors.map(({ monitorKey }) => monitorKey);
    const series = monitors.flatMap(({ monitorKey, kinds, regions }) =>
      kinds.flatMap((kind) =>
        regions.map((region) => ({ monitorKey, kind: CHECK_KIND_CODES[kind], region: regionCode(region) })),
      ),
    );
    const columns = [
      series.map(({ monitorKey }) => monitorKey),
      series.map(({ kind }) => kind),
      series.map(({ region }) => region),
    ];
    await tx.query(
      `INSERT INTO series (monitor_key, counts_from, fresh_until, kind, region, alert_after, recover_after,
         fresh_most_ms)
       SELECT monitor_key, counts_from, fresh_until, kind, region, alert_after, recover_after,
         (SELECT fresh_ms FROM check_allowance allowance WHERE allowance.monitor_key = made.monitor_key)
       -- includes the series to delete, so that one statement locks all of them in order
       FROM (SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::smallint[])
         UNION SELECT monitor_key, kind, region FROM series WHERE monitor_key = ANY ($4)) AS made (monitor_key, kind, region)
       JOIN unnest($4::bigint[], $5::timestamptz[], $6::timestamptz[], $7::smallint[], $8::smallint[])
         AS monitor (monitor_key, counts_from, fresh_until, alert_after, recover_after) USING (monitor_key)
       ORDER BY monitor_key, kind, region
       ON CONFLICT (monitor_key, kind, region) DO UPDATE SET counts_from = excluded.counts_from, streak = 0,
         streak_outcome = 0, streak_since = NULL, settled = false, alert_after = excluded.alert_after,
         recover_after = excluded.recover_after, fresh_most_ms = excluded.fresh_most_ms,
         -- a stale series is awaited again, like a new one
         conclusive_at = CASE WHEN NOT series.stale THEN series.conclusive_at END,
         fresh_until = CASE WHEN series.stale OR series.conclusive_at IS NULL THEN excluded.fresh_until ELSE series.fresh_until END,
         stale = false`,
      [
        ...columns,
        monitorKeys,
        monitors.map(({ changedMs }) => new Date(changedMs)),
        monitors.map(({ changedMs, intervalMs }) => new Date(changedMs + AWAITED_INTERVALS * intervalMs)),
        monitors.map(({ checksBeforeAlert }) => checksBeforeAlert),
        monitors.map(({ checksBeforeRecovery }) => checksBeforeRecovery),
      ],
    );
    const removed = await tx.query<LastResult>(
      `DELETE FROM series WHERE monitor_key = ANY ($4) AND (monitor_key, kind, region) NOT IN (
         SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::smallint[])) RETURNING ${LAST_RESULT}`,
      [...columns, monitorKeys],
    );
    await endFreshness(tx, removed, now);
    await seriesStore.decideAgain(workspaceId, tx, monitorKeys, now);
  },

  /** The thresholds of the monitors changed, or what their verdicts depend on; their checks did not. */
  async retune(workspaceId: string, tx: Tx, monitors: readonly CheckedMonitor[], now: Date): Promise<void> {
    const monitorKeys = monitors.map(({ monitorKey }) => monitorKey);
    await lockSeries(tx, monitorKeys);
    await tx.query(
      `UPDATE series SET alert_after = monitor.alert_after, recover_after = monitor.recover_after, settled = false
       FROM unnest($1::bigint[], $2::smallint[], $3::smallint[]) AS monitor (monitor_key, alert_after, recover_after)
       WHERE series.monitor_key = monitor.monitor_key AND series.monitor_key = ANY ($1)`,
      [
        monitorKeys,
        monitors.map(({ checksBeforeAlert }) => checksBeforeAlert),
        monitors.map(({ checksBeforeRecovery }) => checksBeforeRecovery),
      ],
    );
    await seriesStore.decideAgain(workspaceId, tx, monitorKeys, now);
  },

  /**
   * The monitors are no longer checked: their verdict is `unknown`.
   * @param closedKeys those of them whose incidents are closed with it, so that nothing is remembered of their outages
   */
  async stop(
    workspaceId: string,
    tx: Tx,
    monitorKeys: readonly number[],
    closedKeys: readonly number[],
    now: Date,
  ): Promise<void> {
    await endFreshness(tx, await lockSeries(tx, monitorKeys), now);
    await tx.query(
      `UPDATE series SET counts_from = 'infinity', conclusive_at = NULL, fresh_until = NULL, streak = 0,
         streak_outcome = 0, streak_since = NULL, failing = NULL, settled = false, stale = false
       WHERE monitor_key = ANY ($1)`,
      [monitorKeys],
    );
    await tx.query(
      `INSERT INTO monitor_state AS state (monitor_key, workspace_id, verdict_since)
       SELECT key, $1, $3 FROM unnest($2::bigint[]) AS key ORDER BY key
       ON CONFLICT (monitor_key) DO UPDATE SET verdict = 'unknown', health_status = NULL, decide_at = NULL,
         memory = CASE WHEN state.monitor_key = ANY ($4) THEN '{}' ELSE state.memory END,
         verdict_since = CASE state.verdict WHEN 'unknown' THEN state.verdict_since ELSE $3 END
       WHERE state.workspace_id = $1`,
      [workspaceId, monitorKeys, now, closedKeys],
    );
  },

  /** The monitors were deleted. Their results are kept until the end of retention. */
  async remove(workspaceId: string, tx: Tx, monitorKeys: readonly number[]): Promise<void> {
    await lockSeries(tx, monitorKeys);
    await tx.query('DELETE FROM series WHERE monitor_key = ANY ($1)', [monitorKeys]);
    await tx.query(
      `WITH mine AS (
         SELECT monitor_key FROM monitor_state WHERE workspace_id = $1 AND monitor_key = ANY ($2) ORDER BY monitor_key FOR UPDATE
       ) DELETE FROM monitor_state USING mine WHERE monitor_state.monitor_key = mine.monitor_key`,
      [workspaceId, monitorKeys],
    );
  },

  /** Lets the next sweep decide these monitors again; creates the rows of new ones. */
  async decideAgain(workspaceId: string, tx: Tx, monitorKeys: readonly number[], now: Date): Promise<void> {
    await tx.query(
      `INSERT INTO monitor_state AS state (monitor_key, workspace_id, verdict_since, decide_at)
       SELECT key, $1, $3, $3 FROM unnest($2::bigint[]) AS key ORDER BY key
       ON CONFLICT (monitor_key) DO UPDATE SET decide_at = least(state.decide_at, excluded.decide_at)
       WHERE state.workspace_id = $1`,
      [workspaceId, monitorKeys, now],
    );
  },

  /** The same for every monitor of a workspace. */
  async reconsiderWorkspace(workspaceId: string, tx: Tx, now: Date): Promise<void> {
    await tx.query(
      `WITH mine AS (SELECT monitor_key FROM monitor_state WHERE workspace_id = $1 ORDER BY monitor_key FOR UPDATE)
       UPDATE monitor_state SET decide_at = least(decide_at, $2) FROM mine WHERE monitor_state.monitor_key = mine.monitor_key`,
      [workspaceId, now],
    );
  },

  /** The same for every monitor in every workspace of one owner. */
  async reconsiderOwner(ownerId: string, tx: Tx, now: Date): Promise<void> {
    await tx.query(
      `WITH mine AS (
         SELECT monitor_key FROM monitor_state WHERE workspace_id IN (SELECT workspace_id FROM workspace_plan WHERE owner_id = $1)
         ORDER BY monitor_key FOR UPDATE
       ) UPDATE monitor_state SET decide_at = least(decide_at, $2) FROM mine WHERE monitor_state.monitor_key = mine.monitor_key`,
      [ownerId, now],
    );
  },
};
