import type { Tx } from '../../platform/db/database.js';
import type { HealthStatus, Verdict } from '../results/index.js';
import type { StatusPageRow } from './status-page-store.js';

export interface PublishedPage extends Omit<
  StatusPageRow,
  'slug' | 'isPublished' | 'notifyIncidents' | 'created' | 'lastModified'
> {
  workspaceId: string;
  /** The owner of the workspace. */
  ownerId: string;
}

/** A monitor of a system. */
export interface SystemMonitorRow {
  systemId: string;
  monitorKey: number;
  isEnabled: boolean;
  verdict: Verdict | null;
  healthStatus: HealthStatus | null;
  /** Whether it has a type that is checked over HTTP, TCP or UDP. */
  checksReachability: boolean;
  /** Whether the results of all regions are stale. */
  isSilent: boolean;
}

export interface OutageRow {
  monitorKey: number;
  severity: 'down' | 'partial' | 'warning';
  started: Date;
  ended: Date | null;
}

/** The parts of a public page, one query each for any number of systems. */
export const publicPageStore = {
  /** By the slug, the only thing that visitors know. */
  async published(tx: Tx, slug: string): Promise<PublishedPage | undefined> {
    const [row] = await tx.query<PublishedPage>(
      `SELECT page.id, workspace_id AS "workspaceId", owner_id AS "ownerId", page.name, description,
         show_incident_history AS "showIncidentHistory", theme, banner, group_names AS "groupNames"
       FROM status_page page JOIN workspace ON workspace.id = workspace_id WHERE slug = $1 AND is_published
         AND NOT EXISTS (SELECT FROM suspended_workspace closed WHERE closed.workspace_id = page.workspace_id)`,
      [slug],
    );
    return row;
  },

  /** Where availability is checked (kinds 1 and 4), only those checks count. */
  async monitors(workspaceId: string, tx: Tx, pageId: string, now: Date): Promise<SystemMonitorRow[]> {
    return tx.query<SystemMonitorRow>(
      `SELECT system_id AS "systemId", monitor_key AS "monitorKey", monitoring_status = 'enabled' AS "isEnabled",
         verdict, health_status AS "healthStatus", checks_reachability AS "checksReachability",
         coalesce((SELECT coalesce(max(fresh_until) FILTER (WHERE kind IN (1, 4)), max(fresh_until)) <= $3 FROM series
           WHERE monitor_key = shown.monitor_key AND conclusive_at IS NOT NULL), false) AS "isSilent"
       FROM status_page_monitor shown
       WHERE page_id = (SELECT id FROM status_page WHERE workspace_id = $1 AND id = $2) ORDER BY system_id, monitor_key`,
      [workspaceId, pageId, now],
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
      `SELECT monitor_key AS "monitorKey", severity, started, ended FROM status_page_outage
       WHERE workspace_id = $1 AND monitor_key = ANY ($2) AND (ended IS NULL OR ended >= $3)
       ORDER BY started DESC, id DESC LIMIT $4`,
      [workspaceId, monitorKeys, since, limit],
    );
  },
};
