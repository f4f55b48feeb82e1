import { AVAILABILITY_CODES } from '@watchpost/shared/check';
import type { Tx } from '../../platform/db/database.js';
import type { HealthStatus, Verdict } from '../verdicts/index.js';
import type { StatusPageRow } from './status-page-store.js';

export interface PublishedPage extends Omit<
  StatusPageRow,
  'slug' | 'isPublished' | 'notifyIncidents' | 'created' | 'lastModified'
> {
  workspaceId: string;
  ownerId: string;
}

export interface SystemMonitorRow {
  pageId: string;
  systemId: string;
  monitorKey: number;
  isEnabled: boolean;
  verdict: Verdict | null;
  healthStatus: HealthStatus | null;
  /** Whether it has a type that is checked over HTTP, TCP or UDP. */
  checksReachability: boolean;
  /** Whether the results of all regions are stale, or a heartbeat is late and no process has noticed it. */
  isSilent: boolean;
  /** Whether a maintenance window that names the page covers it. */
  inMaintenance: boolean;
  created: Date;
}

/** Maintenance that a status page announces. */
export interface AnnouncementRow {
  name: string;
  description: string;
  starts: Date;
  ends: Date;
  systemIds: string[];
}

export interface OutageRow {
  id: string;
  monitorKey: number;
  severity: 'down' | 'partial' | 'warning';
  worstSeverity: 'down' | 'partial' | 'warning';
  started: Date;
  ended: Date | null;
}

/** A late heartbeat is noticed sooner than this after its deadline. */
const NOTICED_MS = 15_000;

const COLUMNS = `page.id, workspace_id AS "workspaceId", owner_id AS "ownerId", page.name, description,
  show_incident_history AS "showIncidentHistory", theme, banner, group_names AS "groupNames"`;

/** The parts of a public page, one query each for any number of systems. */
export const publicPageStore = {
  /** By the slug, the only thing that visitors know. */
  async published(tx: Tx, slug: string): Promise<PublishedPage | undefined> {
    return tx.one(
      `SELECT ${COLUMNS} FROM status_page page JOIN workspace ON workspace.id = workspace_id
       WHERE slug = $1 AND is_published
         AND NOT EXISTS (SELECT FROM suspended_workspace closed WHERE closed.workspace_id = page.workspace_id)`,
      [slug],
    );
  },

  /** Published or not. */
  async saved(workspaceId: string, tx: Tx, id: string): Promise<(PublishedPage & { slug: string }) | undefined> {
    return tx.one(
      `SELECT ${COLUMNS}, slug FROM status_page page JOIN workspace ON workspace.id = workspace_id
       WHERE page.workspace_id = $1 AND page.id = $2`,
      [workspaceId, id],
    );
  },

  /** Of these pages. Where availability is checked (kinds 1 and 4), only those checks count. */
  async monitors(workspaceId: string, tx: Tx, pageIds: readonly string[], now: Date): Promise<SystemMonitorRow[]> {
    return tx.query<SystemMonitorRow>(
      `SELECT page_id AS "pageId", system_id AS "systemId", monitor_key AS "monitorKey", monitoring_status = 'enabled' AS "isEnabled",
         verdict, health_status AS "healthStatus", checks_reachability AS "checksReachability",
         coalesce((SELECT coalesce(max(fresh_until) FILTER (WHERE kind IN (${AVAILABILITY_CODES.join(', ')})), max(fresh_until)) <= $3 FROM series
           WHERE monitor_key = shown.monitor_key AND conclusive_at IS NOT NULL), false)
           OR (verdict = 'available' AND EXISTS (SELECT FROM heartbeat WHERE heartbeat.monitor_key = shown.monitor_key
             AND expected_by <= $3::timestamptz - interval '${NOTICED_MS} ms')) AS "isSilent",
         EXISTS (SELECT FROM status_page_maintenance covered WHERE covered.page_id = shown.page_id
           AND covered.monitor_key = shown.monitor_key AND starts <= $3 AND ends > $3) AS "inMaintenance",
         (SELECT created FROM monitor WHERE monitor.workspace_id = $1 AND monitor.key = shown.monitor_key) AS created
       FROM status_page_monitor shown
       WHERE page_id = ANY (ARRAY(SELECT id FROM status_page WHERE workspace_id = $1 AND id = ANY ($2)))
       ORDER BY system_id, monitor_key`,
      [workspaceId, pageIds, now],
    );
  },

  /** The occurrences of maintenance windows that name the page and run or begin before `until`, in order. */
  async maintenance(workspaceId: string, tx: Tx, pageId: string, now: Date, until: Date): Promise<AnnouncementRow[]> {
    return tx.query<AnnouncementRow>(
      `SELECT name, description, starts, ends, system_ids AS "systemIds" FROM status_page_announcement
       WHERE workspace_id = $1 AND page_id = $2 AND ends > $3 AND starts < $4 ORDER BY starts, window_id LIMIT 50`,
      [workspaceId, pageId, now, until],
    );
  },

  /** Newest first. */
  async outages(
    workspaceId: string,
    tx: Tx,
    monitorKeys: readonly number[],
    since: Date,
    limit: number,
  ): Promise<OutageRow[]> {
    return tx.query<OutageRow>(
      `SELECT id, monitor_key AS "monitorKey", severity, worst_severity AS "worstSeverity", started, ended
       FROM status_page_outage
       WHERE workspace_id = $1 AND monitor_key = ANY ($2) AND (ended IS NULL OR ended >= $3)
       ORDER BY started DESC, id DESC LIMIT $4`,
      [workspaceId, monitorKeys, since, limit],
    );
  },
};
