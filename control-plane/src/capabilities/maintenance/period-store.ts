import type { Tx } from '../../platform/db/database.js';

/** A monitor whose coverage changed at this moment. */
export interface ChangedMonitor {
  workspaceId: string;
  monitorKey: number;
}

/** How long before its start an occurrence is opened: its periods exist before any process sees it begin. */
export const OPENED_AHEAD = `interval '5 minutes'`;

const COVERS = `(window_.covers_all OR subject.monitor_id = ANY (window_.monitor_ids)
  OR subject.service_group_id = ANY (window_.service_group_ids) OR subject.tags && window_.tags)`;
const SUBJECT = `maintenance_window window_ JOIN maintenance_subject subject ON subject.workspace_id = window_.workspace_id
  AND window_.deleted_at IS NULL AND ${COVERS}`;
const MONITOR = 'workspace_id AS "workspaceId", monitor_key AS "monitorKey"';

/**
 * The periods in which windows cover monitors, for windows of all workspaces that the caller has locked, or for monitors that
 * it has; `monitorKeys`: only of these, null: of all.
 */
export const periodStore = {
  /** Ends the periods of occurrences that are gone or over, and of monitors that are no longer in the scope. */
  async end(
    tx: Tx,
    windowIds: readonly string[],
    monitorKeys: readonly number[] | null,
    now: Date,
  ): Promise<ChangedMonitor[]> {
    return tx.query<ChangedMonitor>(
      `WITH unwanted AS (
         SELECT period.monitor_key, period.window_id, period.starts FROM maintenance_period period
         WHERE period.window_id = ANY ($1) AND period.ends > $2
           AND ($3::bigint[] IS NULL OR period.monitor_key = ANY ($3)) AND NOT EXISTS (
           SELECT FROM maintenance_occurrence occurrence, ${SUBJECT}
           WHERE occurrence.window_id = period.window_id AND occurrence.starts = period.occurrence_starts
             AND occurrence.ends > $2 AND window_.id = period.window_id AND subject.monitor_key = period.monitor_key)
       ), planned AS (
         DELETE FROM maintenance_period period USING unwanted
         WHERE period.monitor_key = unwanted.monitor_key AND period.window_id = unwanted.window_id
           AND period.starts = unwanted.starts AND period.starts >= $2
         RETURNING period.workspace_id, period.monitor_key
       ), running AS (
         UPDATE maintenance_period period SET ends = $2 FROM unwanted
         WHERE period.monitor_key = unwanted.monitor_key AND period.window_id = unwanted.window_id
           AND period.starts = unwanted.starts AND period.starts < $2
         RETURNING period.workspace_id, period.monitor_key
       )
       SELECT ${MONITOR} FROM planned UNION SELECT ${MONITOR} FROM running`,
      [windowIds, now, monitorKeys],
    );
  },

  /** Moves the ends of periods with those of their occurrences, and whether checks are paused. */
  async adjust(tx: Tx, windowIds: readonly string[], now: Date): Promise<ChangedMonitor[]> {
    return tx.query<ChangedMonitor>(
      `UPDATE maintenance_period period SET ends = occurrence.ends, pauses_checks = window_.pauses_checks
       FROM maintenance_occurrence occurrence JOIN maintenance_window window_ ON window_.id = occurrence.window_id
       WHERE period.window_id = ANY ($1) AND period.ends > $2 AND occurrence.ends > $2
         AND occurrence.window_id = period.window_id AND occurrence.starts = period.occurrence_starts
         AND (period.ends <> occurrence.ends OR period.pauses_checks <> window_.pauses_checks)
       RETURNING period.workspace_id AS "workspaceId", period.monitor_key AS "monitorKey"`,
      [windowIds, now],
    );
  },

  /**
   * Adds the missing periods of occurrences that are near, run, or were never opened. A monitor that joins the scope of an
   * opened occurrence is covered from now on. @returns the monitors that are covered from a moment that has passed
   */
  async add(
    tx: Tx,
    windowIds: readonly string[],
    monitorKeys: readonly number[] | null,
    now: Date,
  ): Promise<ChangedMonitor[]> {
    return tx.query<ChangedMonitor>(
      `WITH added AS (
         INSERT INTO maintenance_period (monitor_key, window_id, starts, ends, workspace_id, occurrence_starts, pauses_checks)
         SELECT subject.monitor_key, window_.id,
           CASE occurrence.stage WHEN 'planned' THEN occurrence.starts ELSE greatest(occurrence.starts, $2) END,
           occurrence.ends, window_.workspace_id, occurrence.starts, window_.pauses_checks
         FROM maintenance_occurrence occurrence JOIN (${SUBJECT}) ON window_.id = occurrence.window_id
         WHERE occurrence.window_id = ANY ($1) AND occurrence.starts <= $2 + ${OPENED_AHEAD}
           AND (occurrence.ends > $2 OR occurrence.stage = 'planned')
           AND ($3::bigint[] IS NULL OR subject.monitor_key = ANY ($3)) AND NOT EXISTS (
             SELECT FROM maintenance_period known WHERE known.monitor_key = subject.monitor_key
               AND known.window_id = window_.id AND known.occurrence_starts = occurrence.starts AND known.ends > $2)
         ON CONFLICT DO NOTHING
         RETURNING workspace_id, monitor_key, starts
       ) SELECT ${MONITOR} FROM added WHERE starts <= $2`,
      [windowIds, now, monitorKeys],
    );
  },

  /** Moves the stages of occurrences on to what they are now. */
  async advance(tx: Tx, windowIds: readonly string[], now: Date): Promise<void> {
    await tx.query(
      `WITH due AS (
         SELECT window_id, starts, CASE WHEN ends <= $2 THEN 'over' WHEN starts <= $2 THEN 'running' ELSE 'opened' END AS stage
         FROM maintenance_occurrence
         WHERE window_id = ANY ($1) AND starts <= $2 + ${OPENED_AHEAD} AND stage <> 'over'
       )
       UPDATE maintenance_occurrence occurrence SET stage = due.stage FROM due
       WHERE occurrence.window_id = due.window_id AND occurrence.starts = due.starts AND occurrence.stage <> due.stage`,
      [windowIds, now],
    );
  },

  /** Monitors whose checks a window pauses now and that are not held, or the reverse. Heartbeats have no checks to pause. */
  async heldWrongly(
    tx: Tx,
    windowIds: readonly string[],
    monitorKeys: readonly number[] | null,
    now: Date,
  ): Promise<(ChangedMonitor & { isToHold: boolean })[]> {
    return tx.query<ChangedMonitor & { isToHold: boolean }>(
      `WITH subject AS NOT MATERIALIZED (
         SELECT * FROM maintenance_subject WHERE $3::bigint[] IS NULL OR monitor_key = ANY ($3)
       )
       SELECT ${MONITOR}, true AS "isToHold" FROM subject
       WHERE NOT checks_held AND NOT is_heartbeat AND monitor_key IN (
         SELECT monitor_key FROM maintenance_period WHERE window_id = ANY ($1) AND pauses_checks AND starts <= $2 AND ends > $2)
       UNION ALL
       SELECT ${MONITOR}, false FROM subject WHERE checks_held AND (is_heartbeat OR NOT EXISTS (
         SELECT FROM maintenance_period period WHERE period.monitor_key = subject.monitor_key AND pauses_checks
           AND starts <= $2 AND ends > $2))`,
      [windowIds, now, monitorKeys],
    );
  },

  /** Those of these monitors that a window covers now. */
  async covered(tx: Tx, monitorKeys: readonly number[], now: Date): Promise<number[]> {
    return tx.column(
      `SELECT DISTINCT monitor_key AS key FROM maintenance_period
       WHERE monitor_key = ANY ($1) AND starts <= $2 AND ends > $2`,
      [monitorKeys, now],
    );
  },

  /** The periods of monitors of the workspace that overlap `[from, until)`. */
  async within(
    workspaceId: string,
    tx: Tx,
    monitorKeys: readonly number[],
    from: Date,
    until: Date,
  ): Promise<{ monitorKey: number; startMs: number; endMs: number }[]> {
    return tx.query(
      `SELECT monitor_key AS "monitorKey", (date_part('epoch', starts) * 1000)::bigint AS "startMs",
         (date_part('epoch', ends) * 1000)::bigint AS "endMs"
       FROM maintenance_period WHERE workspace_id = $1 AND monitor_key = ANY ($2) AND ends > $3 AND starts < $4`,
      [workspaceId, monitorKeys, from, until],
    );
  },

  async erase(tx: Tx, monitorKeys: readonly number[]): Promise<void> {
    await tx.query('DELETE FROM maintenance_period WHERE monitor_key = ANY ($1)', [monitorKeys]);
  },
};
