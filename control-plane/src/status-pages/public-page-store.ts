import type { Tx } from '../db/database.js';
import type { HealthStatus, Verdict } from '../results/index.js';
import type { StatusPageRow } from './status-page-store.js';

export interface PublishedPage extends Omit<
  StatusPageRow,
  'slug' | 'isPublished' | 'notifyIncidents' | 'created' | 'lastModified'
> {
  workspaceId: string;
}

/** A monitor that a system consists of. */
export interface SystemMonitorRow {
  systemId: string;
  monitorKey: number;
  isEnabled: boolean;
  verdict: Verdict | null;
  healthStatus: HealthStatus | null;
}

export interface OutageRow {
  monitorKey: number;
  severity: 'down' | 'partial' | 'warning';
  started: Date;
  ended: Date | null;
}

/** What a public page is put together from: each is one query, however many systems the page has. */
export const publicPageStore = {
  /** By the address, which is the only thing that a visitor knows. */
  async published(tx: Tx, slug: string): Promise<PublishedPage | undefined> {
    const [row] = await tx.query<PublishedPage>(
      `SELECT id, workspace_id AS "workspaceId", name, description, show_incident_history AS "showIncidentHistory",
         theme, banner, group_names AS "groupNames"
       FROM status_page WHERE slug = $1 AND is_published`,
      [slug],
    );
    return row;
  },

  async monitors(workspaceId: string, tx: Tx, pageId: string): Promise<SystemMonitorRow[]> {
    return tx.query<SystemMonitorRow>(
      `SELECT system_id AS "systemId", monitor_key AS "monitorKey", monitoring_status = 'enabled' AS "isEnabled",
         verdict, health_status AS "healthStatus"
       FROM status_page_monitor
       WHERE page_id = (SELECT id FROM status_page WHERE workspace_id = $1 AND id = $2) ORDER BY system_id, monitor_key`,
      [workspaceId, pageId],
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
