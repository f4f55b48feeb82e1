import { columnsOf } from '../../platform/db/columns.js';
import type { Tx } from '../../platform/db/database.js';
import { jsonText } from '../../platform/db/json-text.js';
import { IncidentDependentEntity } from './incident.entity.js';
import type { MonitorFailure } from './incident-commands.js';

/** A failure that becomes attached to the incident of another monitor. */
export interface AttachRow extends MonitorFailure {
  incidentId: string;
  at: Date;
}

/** A failure that is no longer attached. */
export interface DetachRow {
  incidentId: string;
  monitorKey: number;
  at: Date;
  /** The incident that it became; null: it recovered, or another incident explains it. */
  ownIncidentId: string | null;
}

/** A monitor whose failure an incident of another monitor explains. */
export type DependentRow = Omit<IncidentDependentEntity, 'incidentId' | 'workspaceId' | 'monitorKey'>;
const COLUMNS = columnsOf(IncidentDependentEntity, { without: ['incidentId', 'workspaceId', 'monitorKey'] });

/** How many dependents of an incident are on its timeline: many more would push the rest of it out. */
const MOST_ON_TIMELINE = 100;

export const dependentStore = {
  /**
   * Attaches failures. One that fails again is in the row that it has already.
   * @returns those that are new, and on the timeline
   */
  async attach(tx: Tx, rows: readonly AttachRow[]): Promise<{ incidentId: string; monitorKey: number }[]> {
    return tx.query<{ incidentId: string; monitorKey: number }>(
      `WITH attached AS (
         INSERT INTO incident_dependent AS dependent (incident_id, workspace_id, monitor_key, monitor_id, monitor_name,
           incident_type, severity, regions, failure_reason, context, failed)
         SELECT incident.id, incident.workspace_id, "monitorKey", "monitorId", "monitorName", "incidentType", new.severity,
           ARRAY(SELECT jsonb_array_elements_text(new.regions)), "failureReason", new.context, at
         FROM jsonb_to_recordset($1) AS new ("incidentId" uuid, "workspaceId" uuid, "monitorKey" bigint, "monitorId" uuid,
           "monitorName" text, "incidentType" text, severity text, regions jsonb, "failureReason" text, context jsonb,
           at timestamptz)
         JOIN incident ON incident.id = new."incidentId" AND incident.workspace_id = new."workspaceId"
         ORDER BY incident.id, "monitorKey"
         ON CONFLICT (incident_id, monitor_key) DO UPDATE SET severity = excluded.severity, regions = excluded.regions,
           failure_reason = excluded.failure_reason, context = excluded.context, failed = excluded.failed, ended = NULL,
           own_incident_id = NULL
         RETURNING incident_id, monitor_key, xmax = 0 AS is_new
       )
       SELECT incident_id AS "incidentId", monitor_key AS "monitorKey" FROM (
         SELECT incident_id, monitor_key, row_number() OVER (PARTITION BY incident_id ORDER BY monitor_key)
           + (SELECT count(*) FROM incident_dependent former WHERE former.incident_id = attached.incident_id) AS place
         FROM attached WHERE is_new
       ) AS added WHERE place <= ${MOST_ON_TIMELINE}`,
      [jsonText(rows)],
    );
  },

  async detach(tx: Tx, rows: readonly DetachRow[]): Promise<void> {
    await tx.query(
      `UPDATE incident_dependent dependent SET ended = at, own_incident_id = "ownIncidentId"
       FROM jsonb_to_recordset($1) AS row ("incidentId" uuid, "monitorKey" bigint, at timestamptz, "ownIncidentId" uuid)
       WHERE dependent.incident_id = row."incidentId" AND dependent.monitor_key = row."monitorKey" AND ended IS NULL`,
      [jsonText(rows)],
    );
  },

  /** The monitors are no longer checked, so nothing is known of their failures any more. */
  async endAll(workspaceId: string, tx: Tx, monitorKeys: readonly number[], at: Date): Promise<void> {
    await tx.query(
      'UPDATE incident_dependent SET ended = $3 WHERE workspace_id = $1 AND monitor_key = ANY ($2) AND ended IS NULL',
      [workspaceId, monitorKeys, at],
    );
  },

  /** Those that fail before the others, each in the order in which they failed. */
  async list(workspaceId: string, tx: Tx, incidentId: string, limit: number): Promise<DependentRow[]> {
    return tx.query<DependentRow>(
      `SELECT ${COLUMNS}
       FROM incident_dependent WHERE workspace_id = $1 AND incident_id = $2
       ORDER BY ended IS NOT NULL, failed, monitor_key LIMIT $3`,
      [workspaceId, incidentId, limit],
    );
  },
};
