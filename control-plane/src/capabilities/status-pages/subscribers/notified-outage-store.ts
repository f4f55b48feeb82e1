import { factsOf, MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import type { Tx } from '../../../platform/db/database.js';
import { isClosedWithoutRecovery } from '../../timeline/index.js';
import { valuesOf } from '../../../platform/db/values-of.js';

/** An outage on a status page, with the names of the systems there. */
export interface ShownOutage {
  pageId: string;
  incidentId: string;
  severity: 'down' | 'partial' | 'warning';
  /** When it began, or began again last. */
  began: Date;
  systems: string[];
}

/** How many of the outages that subscribers know of are in which state. */
export interface KnownOutages {
  ongoing: number;
  recovered: number;
  /** The monitor does not check for it any more, or its incident was closed without a recovery: that is not known. */
  unwatched: number;
}

export interface NotifyingStatusPage {
  id: string;
  workspaceId: string;
  name: string;
  /** When its subscribers were last notified of an outage; null if never. */
  lastNotified: Date | null;
}

/** The types of monitors that check for outages of status pages. */
const TYPES_OF_OUTAGES = MONITOR_TYPES.filter((type) =>
  ['Availability', 'Heartbeat'].includes(factsOf(type).incidentType),
);

/** How long after its beginning an outage is news: notifications of earlier ones were switched off then. */
export const NEWS_MS = 3_600_000;

/**
 * Whether a status page may have an outage to notify of, one that has returned, or the end of one.
 * @param since when the oldest outage began that is news, as SQL
 */
const mayHaveNews = (since: string) => `page.notify_incidents AND page.is_published AND (
  EXISTS (SELECT FROM status_page_notified_outage notified WHERE notified.page_id = page.id AND NOT notified.end_notified)
  OR EXISTS (SELECT FROM status_page_outage outage WHERE outage.workspace_id = page.workspace_id AND outage.started > ${since})
  OR EXISTS (SELECT FROM status_page_outage outage
    JOIN status_page_notified_outage notified ON notified.page_id = page.id AND notified.incident_id = outage.id
    WHERE outage.workspace_id = page.workspace_id AND NOT outage.is_closed AND outage.ended IS NULL AND notified.end_notified))`;

/** The same of any status page, as a condition of a due task. */
export const HAS_OUTAGE_NEWS = `EXISTS (SELECT FROM status_page page WHERE ${mayHaveNews(`$1 - interval '${NEWS_MS} ms'`)})`;

export const notifiedOutageStore = {
  /**
   * Locks status pages that notify subscribers of outages and may have news, in the order of their ids, after the given one.
   * Skips pages locked by other workers.
   */
  async lockStatusPages(tx: Tx, since: Date, afterId: string | null, limit: number): Promise<NotifyingStatusPage[]> {
    return tx.query<NotifyingStatusPage>(
      `SELECT page.id, page.workspace_id AS "workspaceId", page.name,
         (SELECT max(notified_at) FROM status_page_notified_outage notified WHERE notified.page_id = page.id) AS "lastNotified"
       FROM status_page page
       WHERE ${mayHaveNews('$1')} AND ($3::uuid IS NULL OR page.id > $3)
         AND NOT EXISTS (SELECT FROM suspended_workspace closed WHERE closed.workspace_id = page.workspace_id)
         AND EXISTS (SELECT FROM status_page_subscriber s WHERE s.page_id = page.id AND s.confirmed_at IS NOT NULL)
       ORDER BY page.id LIMIT $2 FOR NO KEY UPDATE OF page SKIP LOCKED`,
      [since, limit, afterId],
    );
  },

  /**
   * Ongoing outages of a status page that began between the moments and were not notified. One that returns after its end
   * was notified is notified again.
   */
  async notNotified(workspaceId: string, tx: Tx, pageId: string, since: Date, until: Date): Promise<ShownOutage[]> {
    return tx.query<ShownOutage>(
      `SELECT shown.page_id AS "pageId", outage.id AS "incidentId", outage.severity, outage.began,
         array_agg(system.name ORDER BY system.group_index, system.place) AS systems
       FROM status_page_monitor shown
       JOIN status_page_shown_system system ON system.id = shown.system_id
       JOIN status_page_outage outage ON outage.workspace_id = $1 AND outage.monitor_key = shown.monitor_key
       WHERE shown.page_id = $2 AND NOT outage.is_closed AND outage.ended IS NULL AND outage.began > $3 AND outage.began <= $4
         AND NOT EXISTS (SELECT FROM status_page_notified_outage notified
           WHERE notified.page_id = shown.page_id AND notified.incident_id = outage.id AND NOT notified.end_notified)
       GROUP BY shown.page_id, outage.id, outage.severity, outage.began
       ORDER BY outage.began, outage.id LIMIT 100`,
      [workspaceId, pageId, since, until],
    );
  },

  async record(tx: Tx, outages: readonly ShownOutage[], at: Date): Promise<void> {
    await tx.query(
      `INSERT INTO status_page_notified_outage (page_id, incident_id, notified_at)
       SELECT page_id, incident_id, $3 FROM unnest($1::uuid[], $2::uuid[]) AS notified (page_id, incident_id)
       ON CONFLICT (page_id, incident_id) DO UPDATE SET notified_at = excluded.notified_at, end_notified = false`,
      [...valuesOf(outages, 'pageId', 'incidentId'), at],
    );
  },

  /**
   * The outages whose end was not notified. An outage is ongoing while its monitor checks for it and fails, also where a person
   * has closed its incident. A reason why the service closed an incident is none of a recovery.
   */
  async known(workspaceId: string, tx: Tx, pageId: string): Promise<KnownOutages> {
    const [row] = await tx.query<KnownOutages>(
      `SELECT count(*) FILTER (WHERE NOT is_watched) AS unwatched,
         count(*) FILTER (WHERE is_watched AND is_failing) AS ongoing,
         count(*) FILTER (WHERE is_watched AND NOT is_failing) AS recovered
       FROM status_page_notified_outage notified
       JOIN status_page_outage outage ON outage.workspace_id = $1 AND outage.id = notified.incident_id
       LEFT JOIN monitor ON monitor.workspace_id = $1 AND monitor.key = outage.monitor_key AND monitor.deleted_at IS NULL
         AND monitor.monitoring_status = 'enabled' AND monitor.monitor_types && $3
       LEFT JOIN monitor_state state ON state.monitor_key = monitor.key
       CROSS JOIN LATERAL (SELECT outage.ended IS NULL OR coalesce(state.verdict, 'unknown') IN ('unavailable', 'partial')
         AS is_failing,
         monitor.key IS NOT NULL AND NOT ${isClosedWithoutRecovery('outage.id')} AS is_watched) AS now
       WHERE notified.page_id = $2 AND NOT notified.end_notified`,
      [workspaceId, pageId, TYPES_OF_OUTAGES],
    );
    return row!;
  },

  async recordEnd(tx: Tx, pageId: string): Promise<void> {
    await tx.query(
      'UPDATE status_page_notified_outage SET end_notified = true WHERE page_id = $1 AND NOT end_notified',
      [pageId],
    );
  },
};
