import type { Tx } from '../../platform/db/database.js';

/** An occurrence of a maintenance window that names a status page. */
export interface CalendarRow {
  windowId: string;
  name: string;
  description: string;
  starts: Date;
  ends: Date;
  /** Of the window. */
  created: Date;
  /** When the window, its end, or that it takes place changed last. */
  changed: Date;
  isCancelled: boolean;
  /** Affected systems of the page; null where the window has no occurrence any more. */
  systemIds: string[] | null;
}

/** The most events of a calendar that are not over, and that are. */
const MOST_COMING = 300;
const MOST_PAST = 100;

/** What the calendars of status pages contain. */
export const maintenanceCalendarStore = {
  /** Past ones since `from`, and coming ones as far as they are stored: 60 days, or the next one of each window. */
  async events(workspaceId: string, tx: Tx, pageId: string, from: Date, now: Date): Promise<CalendarRow[]> {
    const own = `SELECT * FROM status_page_calendar WHERE workspace_id = $1 AND page_id = $2`;
    return tx.query<CalendarRow>(
      `WITH event AS MATERIALIZED (
         (${own} AND ends > $4 ORDER BY starts, window_id LIMIT ${MOST_COMING}) UNION ALL
         (${own} AND ends <= $4 AND ends > $3 ORDER BY starts DESC, window_id LIMIT ${MOST_PAST})
       ), affected AS MATERIALIZED (
         SELECT plan.window_id, (SELECT system_ids FROM status_page_announcement
           WHERE workspace_id = $1 AND page_id = $2 AND window_id = plan.window_id LIMIT 1) AS system_ids
         FROM (SELECT DISTINCT window_id FROM event) AS plan
       )
       SELECT window_id AS "windowId", name, description, starts, ends, created, changed, is_cancelled AS "isCancelled",
         system_ids AS "systemIds"
       FROM event JOIN affected USING (window_id) ORDER BY starts, window_id`,
      [workspaceId, pageId, from, now],
    );
  },
};
