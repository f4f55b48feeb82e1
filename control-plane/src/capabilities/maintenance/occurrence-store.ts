import type { Tx } from '../../platform/db/database.js';
import type { Occurrence } from './decide-occurrences.js';

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** The stored occurrences of windows. Each function takes windows of the workspace only. */
export const occurrenceStore = {
  /** Adds occurrences; one that begins at the same time as a stored one is left out. */
  async insert(workspaceId: string, tx: Tx, windowId: string, occurrences: readonly Occurrence[]): Promise<void> {
    if (occurrences.length === 0) return;
    await tx.query(
      `INSERT INTO maintenance_occurrence (window_id, starts, ends)
       SELECT id, added.starts, added.ends FROM maintenance_window,
         unnest($3::timestamptz[], $4::timestamptz[]) AS added (starts, ends)
       WHERE workspace_id = $1 AND id = $2 ON CONFLICT DO NOTHING`,
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

  /** Moves the end of an occurrence, by its start. */
  async setEnd(workspaceId: string, tx: Tx, windowId: string, { startMs, endMs }: Occurrence): Promise<void> {
    await tx.query(
      `UPDATE maintenance_occurrence SET ends = $4 FROM maintenance_window
       WHERE workspace_id = $1 AND id = $2 AND window_id = id AND starts = $3`,
      [workspaceId, windowId, new Date(startMs), new Date(endMs)],
    );
  },

  async removeFrom(workspaceId: string, tx: Tx, windowId: string, from: Date, until: Date | 'infinity'): Promise<void> {
    await tx.query(
      `DELETE FROM maintenance_occurrence USING maintenance_window
       WHERE workspace_id = $1 AND id = $2 AND window_id = id AND starts >= $3 AND starts < $4`,
      [workspaceId, windowId, from, until],
    );
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
