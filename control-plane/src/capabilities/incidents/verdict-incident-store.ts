import type { IncidentType, Severity } from '@watchpost/shared/incident-types';
import type { Tx } from '../../platform/db/database.js';
import { jsonText } from '../../platform/db/json-text.js';
import type {
  CurrentIncident,
  FailurePath,
  IncidentStatus,
  MonitorFailure,
  OpenedIncident,
} from './incident-commands.js';

export interface OpenRow extends MonitorFailure {
  id: string;
  started: Date;
  at: Date;
}

export interface ChangeRow {
  id: string;
  workspaceId: string;
  at: Date;
  /** null keeps the present value. */
  severity: Severity | null;
  regions: readonly string[] | null;
  status: IncidentStatus | null;
  isClosed: boolean;
  /** `set` only fills an empty value. */
  ended: 'set' | 'clear' | 'keep';
}

export interface ChangedIncident {
  id: string;
  monitorKey: number;
  severityBefore: Severity;
  severity: Severity;
  regionsChanged: boolean;
  /** Whether it had recovered before. */
  wasOver: boolean;
  /** Whether its acknowledgement ended, because it fails again. */
  unacknowledged: boolean;
}

const WORST_SEVERITY_FIRST = `'{down,partial,warning}'::text[]`;

/**
 * Changes of verdicts to the incidents of many monitors, one statement per kind of change. Every row names its workspace. The
 * partial unique index decides which of two concurrent verdicts opens the incident.
 */
export const verdictIncidentStore = {
  /** @returns the incidents that were opened; a monitor and type with an open one gets no second */
  async open(tx: Tx, rows: readonly OpenRow[]): Promise<OpenedIncident[]> {
    return tx.query<OpenedIncident>(
      `INSERT INTO incident (id, workspace_id, monitor_key, monitor_id, monitor_name, incident_type, severity, regions,
         failure_reason, context, started, created, last_modified)
       SELECT id, "workspaceId", "monitorKey", "monitorId", "monitorName", "incidentType", severity,
         ARRAY(SELECT jsonb_array_elements_text(regions)), "failureReason", context, started, at, at
       FROM jsonb_to_recordset($1) AS new (id uuid, "workspaceId" uuid, "monitorKey" bigint, "monitorId" uuid,
         "monitorName" text, "incidentType" text, severity text, regions jsonb, "failureReason" text, context jsonb,
         started timestamptz, at timestamptz)
       ON CONFLICT (workspace_id, monitor_key, incident_type) WHERE NOT is_closed DO NOTHING
       RETURNING id AS "incidentId", monitor_key AS "monitorKey", incident_type AS "incidentType"`,
      [jsonText(rows)],
    );
  },

  /** @returns the incidents that were open and therefore changed */
  async change(tx: Tx, rows: readonly ChangeRow[]): Promise<ChangedIncident[]> {
    // Rows are locked in the order of their ids before any is changed, so that two verdicts cannot deadlock here.
    return tx.query<ChangedIncident>(
      `WITH change AS (
         SELECT row.*, incident.severity AS severity_before, incident.ended IS NOT NULL AS was_over,
           incident.acknowledged AND row.ended = 'clear' AS unacknowledged,
           coalesce(incident.worst_severity, incident.severity) AS worst_before, incident.regions AS regions_before
         FROM jsonb_to_recordset($1) AS row (id uuid, "workspaceId" uuid, at timestamptz, severity text,
           regions jsonb, status text, "isClosed" boolean, ended text)
         JOIN incident ON incident.id = row.id AND incident.workspace_id = row."workspaceId" AND NOT incident.is_closed
         ORDER BY incident.id FOR UPDATE OF incident
       )
       UPDATE incident SET
         severity = coalesce(change.severity, incident.severity),
         worst_severity = CASE WHEN array_position(${WORST_SEVERITY_FIRST}, change.worst_before)
             < array_position(${WORST_SEVERITY_FIRST}, coalesce(change.severity, incident.severity))
           THEN change.worst_before END,
         regions = CASE WHEN jsonb_typeof(change.regions) = 'array'
           THEN ARRAY(SELECT jsonb_array_elements_text(change.regions)) ELSE incident.regions END,
         status = coalesce(change.status, incident.status),
         -- What somebody took note of is over: the new failure is anybody's to acknowledge.
         acknowledged = incident.acknowledged AND NOT change.unacknowledged,
         acknowledged_at = CASE WHEN NOT change.unacknowledged THEN incident.acknowledged_at END,
         acknowledged_by = CASE WHEN NOT change.unacknowledged THEN incident.acknowledged_by END,
         is_closed = change."isClosed",
         ended = CASE change.ended WHEN 'set' THEN coalesce(incident.ended, change.at) WHEN 'clear' THEN NULL ELSE incident.ended END,
         last_modified = greatest(change.at, incident.last_modified)
       FROM change WHERE incident.id = change.id AND incident.workspace_id = change."workspaceId"
       RETURNING incident.id, incident.monitor_key AS "monitorKey",
         change.severity_before AS "severityBefore", incident.severity,
         NOT (incident.regions @> change.regions_before AND incident.regions <@ change.regions_before) AS "regionsChanged",
         change.was_over AS "wasOver", change.unacknowledged`,
      [jsonText(rows)],
    );
  },

  /** The newest incident of each of these monitors and types. */
  async current(tx: Tx, monitorKeys: readonly number[]): Promise<CurrentIncident[]> {
    return tx.query<CurrentIncident>(
      `SELECT DISTINCT ON (monitor_key, incident_type) id, monitor_key AS "monitorKey", incident_type AS "incidentType",
         is_closed AS "isClosed", closed_by AS "closedBy",
         (extract(epoch FROM started) * 1000)::bigint AS "startedMs", (extract(epoch FROM ended) * 1000)::bigint AS "endedMs"
       FROM incident WHERE monitor_key = ANY ($1)
       ORDER BY monitor_key, incident_type, started DESC, id DESC`,
      [monitorKeys],
    );
  },

  /** Locks these incidents, in the order of their ids. */
  async lock(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query('SELECT FROM incident WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [ids]);
  },

  /** Those of these incidents that have recovered or were closed. */
  async ends(tx: Tx, ids: readonly string[]): Promise<{ id: string; endedMs: number }[]> {
    return tx.query<{ id: string; endedMs: number }>(
      `SELECT id, (extract(epoch FROM coalesce(ended, last_modified)) * 1000)::bigint AS "endedMs" FROM incident
       WHERE id = ANY ($1) AND (ended IS NOT NULL OR is_closed)`,
      [ids],
    );
  },

  async openOf(workspaceId: string, tx: Tx, monitorKeys: readonly number[]): Promise<{ id: string }[]> {
    return tx.query<{ id: string }>(
      'SELECT id FROM incident WHERE workspace_id = $1 AND monitor_key = ANY ($2) AND NOT is_closed ORDER BY id',
      [workspaceId, monitorKeys],
    );
  },

  /** Adds paths to the failures in the context of open incidents to which they belong. */
  async addPaths(tx: Tx, paths: readonly FailurePath[]): Promise<void> {
    await tx.query(
      `UPDATE incident SET context = jsonb_set(context, '{failures}', (
           SELECT jsonb_agg(CASE WHEN path IS NULL THEN failure ELSE jsonb_set(failure, '{evidence,path}', path) END ORDER BY place)
           FROM jsonb_array_elements(context -> 'failures') WITH ORDINALITY AS listed (failure, place)
             LEFT JOIN jsonb_to_recordset($2) AS item ("monitorKey" bigint, region text, "scheduledAt" text, message text, path jsonb)
             ON item."monitorKey" = incident.monitor_key AND item.region = failure ->> 'region'
               AND item."scheduledAt" = failure ->> 'scheduledAt' AND item.message = failure ->> 'message'
               AND jsonb_typeof(failure -> 'evidence') = 'object'))
       WHERE id IN (SELECT id FROM incident WHERE monitor_key = ANY ($1) AND NOT is_closed
         AND jsonb_typeof(context -> 'failures') = 'array' AND context -> 'failures' <> '[]' ORDER BY id FOR UPDATE)`,
      [paths.map(({ monitorKey }) => monitorKey), jsonText(paths)],
    );
  },

  /** Adds to a list in the context of the monitor's open incident of a type, where there is one. */
  async addToContext(
    tx: Tx,
    monitorKey: number,
    incidentType: IncidentType,
    list: string,
    item: object,
  ): Promise<void> {
    await tx.query(
      `UPDATE incident SET context = jsonb_set(context, ARRAY[$3], coalesce(context -> $3, '[]') || $4::jsonb)
       WHERE monitor_key = $1 AND incident_type = $2 AND NOT is_closed`,
      [monitorKey, incidentType, list, jsonText([item])],
    );
  },
};
