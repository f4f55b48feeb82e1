import { CHECK_KIND_CODES, type CheckKind } from '@watchpost/shared/check';
import { regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { dirtyBucketStore } from '../rollup/dirty-bucket-store.js';
import { AWAITED_INTERVALS } from '../series/series.js';
import type { CheckedMonitor } from './verdict-store.js';

/** Locks all series of a monitor, in the same order as ingest. */
async function lockSeries(tx: Tx, monitorKey: number): Promise<void> {
  await tx.query('SELECT FROM series WHERE monitor_key = $1 ORDER BY kind, region FOR UPDATE', [monitorKey]);
}

/**
 * Changes of a monitor's series and verdict when the monitor itself changes. Locks rows in the order of
 * docs/decisions/0038-lock-order-of-results.md: all series first.
 */
export const seriesStore = {
  /**
   * Creates or resets the series of a monitor that is checked from `changedMs` on. Streaks start again, because earlier
   * results are about former settings. `failing` stays until new results change it, so that an edit neither closes nor
   * opens an incident. Deletes series of regions and kinds that are no longer checked.
   */
  async restart(
    workspaceId: string,
    tx: Tx,
    monitor: CheckedMonitor & { kinds: readonly CheckKind[] },
    now: Date,
  ): Promise<void> {
    const { monitorKey, regions, kinds, intervalMs, changedMs, checksBeforeAlert, checksBeforeRecovery } = monitor;
    const series = kinds.flatMap((kind) =>
      regions.map((region) => ({ kind: CHECK_KIND_CODES[kind], region: regionCode(region) })),
    );
    const columns = [series.map(({ kind }) => kind), series.map(({ region }) => region)];
    await tx.query(
      `INSERT INTO series (monitor_key, counts_from, fresh_until, kind, region, alert_after, recover_after,
         fresh_most_ms)
       SELECT $1, $4, $5, kind, region, $6, $7, (SELECT fresh_ms FROM check_allowance WHERE monitor_key = $1)
       -- includes the series to delete, so that one statement locks all of them in order
       FROM (SELECT * FROM unnest($2::smallint[], $3::smallint[])
         UNION SELECT kind, region FROM series WHERE monitor_key = $1) AS made (kind, region)
       ORDER BY kind, region
       ON CONFLICT (monitor_key, kind, region) DO UPDATE SET counts_from = excluded.counts_from, streak = 0,
         streak_outcome = 0, streak_since = NULL, settled = false, alert_after = excluded.alert_after,
         recover_after = excluded.recover_after, fresh_most_ms = excluded.fresh_most_ms,
         -- a stale series is awaited again, like a new one
         conclusive_at = CASE WHEN NOT series.stale THEN series.conclusive_at END,
         fresh_until = CASE WHEN series.stale OR series.conclusive_at IS NULL THEN excluded.fresh_until ELSE series.fresh_until END,
         stale = false`,
      [
        monitorKey,
        ...columns,
        new Date(changedMs),
        new Date(changedMs + AWAITED_INTERVALS * intervalMs),
        checksBeforeAlert,
        checksBeforeRecovery,
      ],
    );
    await tx.query(
      `DELETE FROM series WHERE monitor_key = $1
         AND (kind, region) NOT IN (SELECT * FROM unnest($2::smallint[], $3::smallint[]))`,
      [monitorKey, ...columns],
    );
    await seriesStore.decideAgain(workspaceId, tx, [monitorKey], now);
  },

  /** The thresholds of the monitor changed, or what its verdict depends on; its checks did not. */
  async retune(workspaceId: string, tx: Tx, monitor: CheckedMonitor, now: Date): Promise<void> {
    await lockSeries(tx, monitor.monitorKey);
    await tx.query('UPDATE series SET alert_after = $2, recover_after = $3, settled = false WHERE monitor_key = $1', [
      monitor.monitorKey,
      monitor.checksBeforeAlert,
      monitor.checksBeforeRecovery,
    ]);
    await seriesStore.decideAgain(workspaceId, tx, [monitor.monitorKey], now);
  },

  /** The monitor is no longer checked: its verdict is `unknown`. */
  async stop(workspaceId: string, tx: Tx, monitorKey: number, now: Date): Promise<void> {
    await lockSeries(tx, monitorKey);
    // The last results are no longer fresh either, or the timeline would continue with them.
    const cut = await tx.query<{ startsMs: number }>(
      `UPDATE check_result SET fresh_s = greatest(0, ceil(extract(epoch FROM $2::timestamptz - check_result.scheduled_at)))::smallint
       FROM series
       WHERE series.monitor_key = $1 AND check_result.monitor_key = $1 AND check_result.kind = series.kind
         AND check_result.region = series.region AND check_result.scheduled_at = series.conclusive_at
         AND check_result.scheduled_at >= $2::timestamptz - interval '9 hours'
         AND check_result.scheduled_at + check_result.fresh_s * interval '1 s' > $2::timestamptz
       RETURNING (date_part('epoch', date_bin('1 hour', check_result.scheduled_at, 'epoch')) * 1000)::bigint AS "startsMs"`,
      [monitorKey, now],
    );
    const hours = cut.map(({ startsMs }) => ({ monitorKey, startsMs }));
    await dirtyBucketStore.mark(tx, hours, false);
    await tx.query(
      `UPDATE series SET counts_from = 'infinity', conclusive_at = NULL, fresh_until = NULL, streak = 0,
         streak_outcome = 0, streak_since = NULL, failing = NULL, settled = false, stale = false
       WHERE monitor_key = $1`,
      [monitorKey],
    );
    await tx.query(
      `INSERT INTO monitor_state AS state (monitor_key, workspace_id, verdict_since) VALUES ($2, $1, $3)
       ON CONFLICT (monitor_key) DO UPDATE SET verdict = 'unknown', health_status = NULL, decide_at = NULL, memory = '{}',
         verdict_since = CASE state.verdict WHEN 'unknown' THEN state.verdict_since ELSE $3 END
       WHERE state.workspace_id = $1`,
      [workspaceId, monitorKey, now],
    );
  },

  /** The monitor was deleted. Its results are kept until the end of retention. */
  async remove(workspaceId: string, tx: Tx, monitorKey: number): Promise<void> {
    await lockSeries(tx, monitorKey);
    await tx.query('DELETE FROM series WHERE monitor_key = $1', [monitorKey]);
    await tx.query('DELETE FROM monitor_state WHERE workspace_id = $1 AND monitor_key = $2', [workspaceId, monitorKey]);
  },

  /** Regions that check the monitor and have reported any result of it. */
  async regionsWithResults(workspaceId: string, tx: Tx, monitorKey: number): Promise<Region[]> {
    const rows = await tx.query<{ region: number }>(
      `SELECT DISTINCT region FROM series JOIN verdict_subject subject USING (monitor_key)
       WHERE subject.workspace_id = $1 AND monitor_key = $2 AND last_scheduled_at IS NOT NULL`,
      [workspaceId, monitorKey],
    );
    return rows.map(({ region }) => regionOfCode(region));
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
