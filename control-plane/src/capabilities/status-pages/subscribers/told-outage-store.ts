import type { Tx } from '../../../platform/db/database.js';

/** An outage on a page, as the page calls what is out. */
export interface PageOutage {
  pageId: string;
  incidentId: string;
  severity: 'down' | 'partial' | 'warning';
  started: Date;
  ended: Date | null;
  systems: string[];
}

export interface TellingPage {
  id: string;
  workspaceId: string;
  name: string;
  /** When its subscribers heard of an outage last; null: never. */
  lastTold: Date | null;
}

/** What the subscribers of pages know of outages. */
export const toldOutageStore = {
  /**
   * Pages that tell outages to somebody and may have one to tell, or one whose end is to be told; held by this worker,
   * in the order of their ids, from behind one of them.
   */
  async holdPages(tx: Tx, since: Date, afterId: string | null, limit: number): Promise<TellingPage[]> {
    return tx.query<TellingPage>(
      `SELECT page.id, page.workspace_id AS "workspaceId", page.name,
         (SELECT max(told_at) FROM status_page_told_outage told WHERE told.page_id = page.id) AS "lastTold"
       FROM status_page page
       WHERE page.notify_incidents AND page.is_published AND ($3::uuid IS NULL OR page.id > $3)
         AND NOT EXISTS (SELECT FROM suspended_workspace closed WHERE closed.workspace_id = page.workspace_id)
         AND EXISTS (SELECT FROM status_page_subscriber s WHERE s.page_id = page.id AND s.confirmed_at IS NOT NULL)
         AND (EXISTS (SELECT FROM status_page_told_outage told WHERE told.page_id = page.id AND NOT told.told_over)
           OR EXISTS (SELECT FROM status_page_outage outage WHERE outage.workspace_id = page.workspace_id AND outage.started > $1))
       ORDER BY page.id LIMIT $2 FOR NO KEY UPDATE OF page SKIP LOCKED`,
      [since, limit, afterId],
    );
  },

  /** Outages of a page that go on, began between the moments, and of which its subscribers know nothing. */
  async untold(workspaceId: string, tx: Tx, pageId: string, since: Date, until: Date): Promise<PageOutage[]> {
    return tx.query<PageOutage>(
      `SELECT shown.page_id AS "pageId", outage.id AS "incidentId", outage.severity, outage.started, outage.ended,
         array_agg(system.name ORDER BY system.group_index, system.place) AS systems
       FROM status_page_monitor shown
       JOIN status_page_shown_system system ON system.id = shown.system_id
       JOIN status_page_outage outage ON outage.workspace_id = $1 AND outage.monitor_key = shown.monitor_key
       WHERE shown.page_id = $2 AND outage.started > $3 AND outage.started <= $4 AND outage.ended IS NULL
         AND NOT EXISTS (SELECT FROM status_page_told_outage told
           WHERE told.page_id = shown.page_id AND told.incident_id = outage.id)
       GROUP BY shown.page_id, outage.id, outage.severity, outage.started, outage.ended
       ORDER BY outage.started, outage.id LIMIT 100`,
      [workspaceId, pageId, since, until],
    );
  },

  async tell(tx: Tx, outages: readonly PageOutage[], at: Date): Promise<void> {
    await tx.query(
      `INSERT INTO status_page_told_outage (page_id, incident_id, told_at)
       SELECT page_id, incident_id, $3 FROM unnest($1::uuid[], $2::uuid[]) AS told (page_id, incident_id)
       ON CONFLICT DO NOTHING`,
      [outages.map(({ pageId }) => pageId), outages.map(({ incidentId }) => incidentId), at],
    );
  },

  /** Whether any of the outages that subscribers know of goes on; null where they know of none. */
  async knownGoesOn(workspaceId: string, tx: Tx, pageId: string): Promise<boolean | null> {
    const [row] = await tx.query<{ open: number; known: number }>(
      `SELECT count(*) AS known, count(*) FILTER (WHERE outage.id IS NOT NULL AND outage.ended IS NULL) AS open
       FROM status_page_told_outage told
       LEFT JOIN status_page_outage outage ON outage.workspace_id = $1 AND outage.id = told.incident_id
       WHERE told.page_id = $2 AND NOT told.told_over`,
      [workspaceId, pageId],
    );
    return row!.known === 0 ? null : row!.open > 0;
  },

  async tellOver(tx: Tx, pageId: string): Promise<void> {
    await tx.query('UPDATE status_page_told_outage SET told_over = true WHERE page_id = $1 AND NOT told_over', [
      pageId,
    ]);
  },
};
