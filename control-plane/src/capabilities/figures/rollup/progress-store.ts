import type { Tx } from '../../../platform/db/database.js';
import { type Day, partitionOf } from '../../results/index.js';

interface Progress {
  /** ms since the epoch; null before the first hour is closed. */
  closedUntilMs: number | null;
}

const PROGRESS = `SELECT (date_part('epoch', closed_until) * 1000)::bigint AS "closedUntilMs" FROM rollup_progress`;

export const progressStore = {
  /** Locks and reads how far the hours are closed; undefined while another process closes one. */
  async lock(tx: Tx): Promise<Progress | undefined> {
    return tx.one(`${PROGRESS} FOR UPDATE SKIP LOCKED`);
  },

  async set(tx: Tx, closedUntil: Date): Promise<void> {
    await tx.query('UPDATE rollup_progress SET closed_until = $1', [closedUntil]);
  },

  /** When the oldest result of a day that is not packed was scheduled, ms since the epoch; null without results. */
  async oldestResultMs(tx: Tx, day: Day): Promise<number | null> {
    return tx.value(
      `SELECT (date_part('epoch', min(scheduled_at)) * 1000)::bigint AS ms FROM ${partitionOf('check_result', day)}`,
    );
  },

  /** The age of the oldest other transaction that has written, ms. */
  async oldestWriterMs(tx: Tx): Promise<number> {
    return tx.value(
      `SELECT coalesce(max(date_part('epoch', clock_timestamp() - xact_start)) * 1000, 0) AS ms FROM pg_stat_activity
       WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()`,
    );
  },

  /** All results scheduled before this are in the rollups; null before the first hour is closed. */
  async rolledUpUntil(tx: Tx): Promise<number | null> {
    const [row] = await tx.query<{ untilMs: number | null }>(
      `SELECT (date_part('epoch', least(closed_until, (SELECT min(starts_at) FROM dirty_bucket WHERE NOT is_day))) * 1000)::bigint
         AS "untilMs"
       FROM rollup_progress WHERE closed_until IS NOT NULL`,
    );
    return row?.untilMs ?? null;
  },
};
