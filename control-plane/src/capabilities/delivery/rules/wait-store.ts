import type { Tx } from '../../../platform/db/database.js';
import { valuesOf } from '../../../platform/db/values-of.js';
import { isAnyDue } from '../../../platform/jobs/due-store.js';
import type { StoredRules } from '../../group-settings/index.js';
import type { DueWait } from './decide-notice.js';

const MOST_WAITS = 1_000;
/** The most waits of one workspace that are ended before those of the next one. */
const MOST_IN_TURN = 10;

/** Whether waits are over, as a condition of a due task. */
export const IS_WAIT_DUE = isAnyDue('notification_wait', 'due_at');

interface WaitKey {
  groupId: string;
  /** The incident; for an event without one, the event. */
  subjectId: string;
  reason: DueWait['reason'];
}

export interface NewWait extends WaitKey {
  workspaceId: string;
  /** Of `held` only. */
  eventId: string | null;
  dueMs: number;
}

/** A wait that is over, with its group and its incident as they are now. */
export interface EndedWait extends WaitKey, DueWait {
  workspaceId: string;
  eventId: string | null;
  monitorKey: number | null;
  rules: StoredRules;
  /** Until when the monitor is in maintenance; null where it is not. */
  coveredUntil: Date | null;
}

/** What groups wait for, over all workspaces. */
export const waitStore = {
  /**
   * Adds waits. A later event takes the place of a held one of its incident; otherwise what waits already stays as it is.
   * @param waits one for each key
   * @returns the keys for which too many wait, as `GROUP SUBJECT`
   */
  async add(tx: Tx, waits: readonly NewWait[]): Promise<Set<string>> {
    const refused = await tx.column<string>(
      `WITH new AS MATERIALIZED (
         SELECT new.*, waiting + row_number() OVER (PARTITION BY group_id) > ${MOST_WAITS}
           AND NOT EXISTS (SELECT FROM notification_wait own WHERE own.group_id = new.group_id
             AND own.subject_id = new.subject_id AND own.reason = new.reason) AS is_full
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::bigint[])
           AS new (group_id, subject_id, reason, workspace_id, event_id, due_ms)
         CROSS JOIN LATERAL (SELECT count(*) AS waiting FROM notification_wait own WHERE own.group_id = new.group_id) AS others
       ), added AS (
         INSERT INTO notification_wait (group_id, subject_id, reason, workspace_id, event_id, due_at)
         SELECT group_id, subject_id, reason, workspace_id, event_id, 'epoch'::timestamptz + due_ms * interval '1 ms'
         FROM new WHERE NOT is_full ORDER BY group_id, subject_id, reason
         ON CONFLICT (group_id, subject_id, reason) DO UPDATE SET event_id = excluded.event_id, due_at = excluded.due_at
           WHERE notification_wait.reason = 'held'
       )
       SELECT group_id || ' ' || subject_id FROM new WHERE is_full`,
      valuesOf(waits, 'groupId', 'subjectId', 'reason', 'workspaceId', 'eventId', 'dueMs'),
    );
    return new Set(refused);
  },

  async hasDue(tx: Tx, now: Date): Promise<boolean> {
    return tx.some('SELECT FROM notification_wait WHERE due_at <= $1 LIMIT 1', [now]);
  },

  /** Locks waits that are over: the first few of each workspace, so that none waits behind the many of another. */
  async due(tx: Tx, limit: number, now: Date): Promise<EndedWait[]> {
    return tx.query<EndedWait>(
      `WITH RECURSIVE turn AS (
         (SELECT workspace_id FROM notification_wait WHERE due_at <= $2 ORDER BY workspace_id LIMIT 1)
         UNION ALL
         SELECT next.workspace_id FROM turn CROSS JOIN LATERAL (
           SELECT workspace_id FROM notification_wait
           WHERE due_at <= $2 AND workspace_id > turn.workspace_id ORDER BY workspace_id LIMIT 1) AS next
       ), few AS (
         SELECT own.* FROM turn CROSS JOIN LATERAL (
           SELECT group_id, subject_id, reason, row_number() OVER (ORDER BY due_at) AS place FROM notification_wait
           WHERE workspace_id = turn.workspace_id AND due_at <= $2 ORDER BY due_at LIMIT ${MOST_IN_TURN}) AS own
         ORDER BY own.place LIMIT $1
       )
       SELECT wait.group_id AS "groupId", wait.subject_id AS "subjectId", wait.reason, wait.workspace_id AS "workspaceId",
         wait.event_id AS "eventId", g.rules, i.monitor_key AS "monitorKey",
         coalesce(g.is_enabled AND NOT i.is_closed AND i.ended IS NULL
           AND EXISTS (SELECT FROM group_attachment a WHERE a.group_id = g.id AND a.monitor_key = i.monitor_key), false) AS "isOpen",
         coalesce(i.acknowledged, false) AS "isAcknowledged",
         (SELECT max(covered.ends) FROM monitor_maintenance covered
          WHERE covered.monitor_key = i.monitor_key AND covered.starts <= $2 AND covered.ends > $2) AS "coveredUntil"
       FROM few JOIN notification_wait wait ON wait.group_id = few.group_id AND wait.subject_id = few.subject_id AND wait.reason = few.reason
       JOIN action_group g ON g.id = wait.group_id
       LEFT JOIN incident i ON i.workspace_id = wait.workspace_id AND i.id = wait.subject_id
       ORDER BY few.place, wait.due_at, wait.group_id, wait.subject_id FOR UPDATE OF wait SKIP LOCKED`,
      [limit, now],
    );
  },

  async remove(tx: Tx, waits: readonly WaitKey[]): Promise<void> {
    await tx.query(
      `DELETE FROM notification_wait wait USING unnest($1::uuid[], $2::uuid[], $3::text[]) AS old (group_id, subject_id, reason)
       WHERE wait.group_id = old.group_id AND wait.subject_id = old.subject_id AND wait.reason = old.reason`,
      valuesOf(waits, 'groupId', 'subjectId', 'reason'),
    );
  },

  /** @returns how many wait, and since when the oldest is due */
  async backlog(tx: Tx): Promise<{ waiting: number; oldest: Date | null }> {
    const [row] = await tx.query<{ waiting: number; oldest: Date | null }>(
      'SELECT count(*) AS waiting, min(due_at) AS oldest FROM notification_wait',
    );
    return row!;
  },
};
