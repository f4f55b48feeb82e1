import type { Tx } from '../../platform/db/database.js';
import type { Occurrence } from './decide-occurrences.js';

/** The most cancelled occurrences of a window that are remembered: all that may be stored of a daily one, and as many again. */
const MAX_CANCELLED = 130;

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** The stored occurrences of windows. Each function takes windows of the workspace only. */
export const occurrenceStore = {
  /** Adds occurrences, also where they were cancelled; one that begins at the same time as a stored one is left out. */
  async insert(workspaceId: string, tx: Tx, windowId: string, occurrences: readonly Occurrence[]): Promise<void> {
    if (occurrences.length === 0) return;
    await tx.query(
      `WITH added AS (
         INSERT INTO maintenance_occurrence (window_id, starts, ends)
         SELECT id, added.starts, added.ends FROM maintenance_window,
           unnest($3::timestamptz[], $4::timestamptz[]) AS added (starts, ends)
         WHERE workspace_id = $1 AND id = $2 ON CONFLICT DO NOTHING RETURNING window_id, starts
       )
       DELETE FROM maintenance_cancellation gone USING added
       WHERE gone.window_id = added.window_id AND gone.starts = added.starts`,
      [
        workspaceId,
        windowId,
        occurrences.map(({ startMs }) => new Date(startMs)),
        occurrences.map(({ endMs }) => new Date(endMs)),
      ],
    );
  },

  /** The last occurrence that began by `at`. */
  async lastBegun(workspaceId: string, tx: Tx, windowId: string, at: Date): Promise<Occurrence | undefined> {
    const [row] = await occurrenceStore.select(workspaceId, tx, windowId, 'starts <= $3', 'starts DESC', at);
    return row;
  },

  async next(workspaceId: string, tx: Tx, windowId: string, after: Date): Promise<Occurrence | undefined> {
    const [row] = await occurrenceStore.select(workspaceId, tx, windowId, 'starts > $3', 'starts', after);
    return row;
  },

  async select(workspaceId: string, tx: Tx, windowId: string, condition: string, order: string, at: Date) {
    return tx.query<Occurrence>(
      `SELECT ${MS('starts')} AS "startMs", ${MS('ends')} AS "endMs" FROM maintenance_occurrence
       WHERE window_id = (SELECT id FROM maintenance_window WHERE workspace_id = $1 AND id = $2) AND ${condition}
       ORDER BY ${order} LIMIT 1`,
      [workspaceId, windowId, at],
    );
  },

  /** Those that overlap the period, in order. */
  async within(
    workspaceId: string,
    tx: Tx,
    windowId: string,
    { startMs, endMs }: Occurrence,
    limit: number,
  ): Promise<Occurrence[]> {
    return tx.query<Occurrence>(
      `SELECT ${MS('starts')} AS "startMs", ${MS('ends')} AS "endMs" FROM maintenance_occurrence
       WHERE window_id = (SELECT id FROM maintenance_window WHERE workspace_id = $1 AND id = $2)
         AND starts < $4 AND ends > $3 ORDER BY starts LIMIT $5`,
      [workspaceId, windowId, new Date(startMs), new Date(endMs), limit],
    );
  },

  /** Those of all windows that are not deleted, as `within`. */
  async ofAll(
    workspaceId: string,
    tx: Tx,
    { startMs, endMs }: Occurrence,
    limit: number,
  ): Promise<(Occurrence & { windowId: string })[]> {
    return tx.query(
      `SELECT window_id AS "windowId", ${MS('starts')} AS "startMs", ${MS('ends')} AS "endMs" FROM maintenance_occurrence
       WHERE window_id = ANY (ARRAY(SELECT id FROM maintenance_window WHERE workspace_id = $1 AND deleted_at IS NULL))
         AND starts < $3 AND ends > $2 ORDER BY starts, window_id LIMIT $4`,
      [workspaceId, new Date(startMs), new Date(endMs), limit],
    );
  },

  async setEnd(
    workspaceId: string,
    tx: Tx,
    windowId: string,
    { startMs, endMs }: Occurrence,
    now: Date,
  ): Promise<void> {
    await tx.query(
      `UPDATE maintenance_occurrence SET ends = $4, changed = CASE WHEN ends = $4 THEN changed ELSE $5 END FROM maintenance_window
       WHERE workspace_id = $1 AND id = $2 AND window_id = id AND starts = $3`,
      [workspaceId, windowId, new Date(startMs), new Date(endMs), now],
    );
  },

  /** Removes occurrences that have not begun, and remembers those that status pages announce as cancelled. */
  async cancel(
    workspaceId: string,
    tx: Tx,
    windowId: string,
    { from, until }: { from: Date; until: Date | 'infinity' },
    now: Date,
  ): Promise<void> {
    await tx.query(
      `WITH removed AS (
         DELETE FROM maintenance_occurrence USING maintenance_window
         WHERE workspace_id = $1 AND id = $2 AND window_id = id AND starts >= $3 AND starts < $4
         RETURNING window_id, starts, ends, status_page_ids <> '{}' AS is_announced
       )
       INSERT INTO maintenance_cancellation (window_id, starts, ends, cancelled)
       SELECT window_id, starts, ends, $5 FROM removed WHERE is_announced
       ON CONFLICT (window_id, starts) DO UPDATE SET ends = excluded.ends, cancelled = excluded.cancelled`,
      [workspaceId, windowId, from, until, now],
    );
    await tx.query(
      `DELETE FROM maintenance_cancellation gone USING maintenance_window
       WHERE workspace_id = $1 AND id = $2 AND window_id = id AND starts NOT IN (
         SELECT starts FROM maintenance_cancellation WHERE window_id = $2 ORDER BY cancelled DESC, starts LIMIT ${MAX_CANCELLED})`,
      [workspaceId, windowId],
    );
  },

  /** Of all workspaces. */
  async purgeCancelled(tx: Tx, endedBefore: Date): Promise<void> {
    await tx.query('DELETE FROM maintenance_cancellation WHERE ends < $1', [endedBefore]);
  },

  /** Removes all occurrences, and what monitors they covered: to correct the past. */
  async removeHistory(workspaceId: string, tx: Tx, windowId: string): Promise<void> {
    await tx.query(
      `WITH corrected AS (SELECT id FROM maintenance_window WHERE workspace_id = $1 AND id = $2), periods AS (
         DELETE FROM maintenance_period USING corrected WHERE window_id = corrected.id
       ) DELETE FROM maintenance_occurrence USING corrected WHERE window_id = corrected.id`,
      [workspaceId, windowId],
    );
  },
};
