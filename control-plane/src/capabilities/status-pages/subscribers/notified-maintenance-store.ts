import type { Tx } from '../../../platform/db/database.js';
import { type ComingMaintenance, type KnownMaintenance, NOTICE_MS } from './decide-maintenance-notices.js';

/** The most maintenance of one page that a pass announces; the next pass announces more. */
const AT_ONCE = 50;

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;
const SAME = 'page_id = known.page_id AND window_id = known.window_id AND starts = known.starts';
const IS_KNOWN = `EXISTS (SELECT FROM status_page_notified_maintenance known WHERE known.page_id = coming.page_id
  AND known.window_id = coming.window_id AND known.starts = coming.starts)`;

/** Whether a status page `page` has maintenance to notify of at time `$1`, or of which something changed. */
const HAS_NEWS = `page.is_published AND page.id IN (
    SELECT coming.page_id FROM status_page_announcement coming
    WHERE coming.notify_subscribers AND coming.stage <> 'over' AND coming.ends > $1::timestamptz
      AND coming.starts <= $1::timestamptz + interval '${NOTICE_MS} ms' AND NOT ${IS_KNOWN}
    UNION ALL
    SELECT known.page_id FROM status_page_notified_maintenance known
    WHERE NOT known.is_over AND NOT EXISTS (SELECT FROM status_page_announcement WHERE ${SAME}
      AND notify_subscribers AND ends = known.ends AND ends > $1::timestamptz))
  AND NOT EXISTS (SELECT FROM suspended_workspace closed WHERE closed.workspace_id = page.workspace_id)
  AND EXISTS (SELECT FROM status_page_subscriber s WHERE s.page_id = page.id AND s.confirmed_at IS NOT NULL)`;

/** The same as a condition of a due task. */
export const HAS_MAINTENANCE_NEWS = `EXISTS (SELECT FROM status_page page WHERE ${HAS_NEWS})`;

/** A status page of any workspace. */
export interface AnnouncingPage {
  id: string;
  workspaceId: string;
  name: string;
}

export const notifiedMaintenanceStore = {
  /** Locks status pages of all workspaces that have something to notify of, except those that other workers hold. */
  async lockPages(tx: Tx, now: Date, except: readonly string[], limit: number): Promise<AnnouncingPage[]> {
    return tx.query<AnnouncingPage>(
      `SELECT page.id, page.workspace_id AS "workspaceId", page.name FROM status_page page
       WHERE ${HAS_NEWS} AND page.id <> ALL ($2::uuid[])
       ORDER BY page.id LIMIT $3 FOR NO KEY UPDATE OF page SKIP LOCKED`,
      [now, except, limit],
    );
  },

  /** What subscribers know of and that is not over for them, in order of time. */
  async known(workspaceId: string, tx: Tx, pageId: string): Promise<KnownMaintenance[]> {
    return tx.query<KnownMaintenance>(
      `SELECT known.window_id AS "windowId", known.name, ${MS('known.starts')} AS "startMs", ${MS('known.ends')} AS "endMs",
         (SELECT json_build_object('endMs', ${MS('ends')}, 'notifies', notify_subscribers) FROM status_page_announcement
           WHERE workspace_id = $1 AND ${SAME}) AS now
       FROM status_page_notified_maintenance known
       WHERE known.page_id = (SELECT id FROM status_page WHERE workspace_id = $1 AND id = $2) AND NOT known.is_over
       ORDER BY known.starts, known.window_id`,
      [workspaceId, pageId],
    );
  },

  /**
   * Maintenance that is not over and of which subscribers were not notified, in order of time: what is near, and that of
   * those of these windows that take place once.
   */
  async coming(
    workspaceId: string,
    tx: Tx,
    pageId: string,
    windowIds: readonly string[],
    now: Date,
  ): Promise<ComingMaintenance[]> {
    return tx.query<ComingMaintenance>(
      `SELECT window_id AS "windowId", name, description, ${MS('starts')} AS "startMs", ${MS('ends')} AS "endMs", recurs,
         system_ids AS "systemIds"
       FROM status_page_announcement coming
       WHERE workspace_id = $1 AND page_id = $2 AND notify_subscribers AND ends > $4 AND NOT ${IS_KNOWN}
         AND (starts <= $4::timestamptz + interval '${NOTICE_MS} ms' OR (window_id = ANY ($3::uuid[]) AND NOT recurs))
       ORDER BY starts, window_id LIMIT ${AT_ONCE}`,
      [workspaceId, pageId, windowIds, now],
    );
  },

  async insert(workspaceId: string, tx: Tx, pageId: string, coming: ComingMaintenance): Promise<void> {
    await tx.query(
      `INSERT INTO status_page_notified_maintenance (page_id, window_id, starts, ends, name)
       SELECT id, $3, $4, $5, $6 FROM status_page WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, pageId, coming.windowId, new Date(coming.startMs), new Date(coming.endMs), coming.name],
    );
  },

  async update(
    workspaceId: string,
    tx: Tx,
    pageId: string,
    { windowId, startMs }: KnownMaintenance,
    { endMs, isOver }: { endMs: number; isOver: boolean },
  ): Promise<void> {
    await tx.query(
      `UPDATE status_page_notified_maintenance SET ends = $5, is_over = $6
       WHERE page_id = (SELECT id FROM status_page WHERE workspace_id = $1 AND id = $2) AND window_id = $3 AND starts = $4`,
      [workspaceId, pageId, windowId, new Date(startMs), new Date(endMs), isOver],
    );
  },

  async remove(workspaceId: string, tx: Tx, pageId: string, { windowId, startMs }: KnownMaintenance): Promise<void> {
    await tx.query(
      `DELETE FROM status_page_notified_maintenance
       WHERE page_id = (SELECT id FROM status_page WHERE workspace_id = $1 AND id = $2) AND window_id = $3 AND starts = $4`,
      [workspaceId, pageId, windowId, new Date(startMs)],
    );
  },

  /** Of all workspaces. */
  async purge(tx: Tx, endedBefore: Date): Promise<void> {
    await tx.query('DELETE FROM status_page_notified_maintenance WHERE ends < $1', [endedBefore]);
  },
};
