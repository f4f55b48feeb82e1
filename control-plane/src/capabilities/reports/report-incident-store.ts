import type { IncidentType } from '@watchpost/shared/incident-types';
import type { Tx } from '../../platform/db/database.js';
import { isClosedWithoutRecovery } from '../timeline/index.js';

export interface ReportIncidentRow {
  id: string;
  incidentType: IncidentType;
  severity: 'down' | 'partial' | 'warning';
  worstSeverity: 'down' | 'partial' | 'warning';
  regions: string[];
  started: Date;
  ended: Date | null;
  failureReason: string;
}

export interface IncidentFigures {
  total: number;
  recovered: number;
  /** Average time from start to recovery of the recovered incidents, ms. */
  recoveryMs: number;
}

/** The incidents of a report: those that were open at any time in its period. */
export const reportIncidentStore = {
  /** Newest first. */
  async during(
    workspaceId: string,
    tx: Tx,
    monitorId: string,
    from: Date,
    to: Date,
    limit: number,
  ): Promise<ReportIncidentRow[]> {
    return tx.query<ReportIncidentRow>(
      `SELECT id, incident_type AS "incidentType", severity, worst_severity AS "worstSeverity", regions, started,
         ended, failure_reason AS "failureReason"
       FROM report_incident
       WHERE workspace_id = $1 AND monitor_id = $2 AND started < $4 AND (ended IS NULL OR ended > $3)
       ORDER BY started DESC, id DESC LIMIT $5`,
      [workspaceId, monitorId, from, to, limit],
    );
  },

  async figures(workspaceId: string, tx: Tx, monitorId: string, from: Date, to: Date): Promise<IncidentFigures> {
    const [row] = await tx.query<IncidentFigures>(
      `SELECT count(*) AS total, count(recovered) AS recovered,
         coalesce(sum(extract(epoch FROM recovered - started) * 1000), 0)::float8 AS "recoveryMs"
       FROM report_incident
       CROSS JOIN LATERAL (SELECT CASE WHEN NOT ${isClosedWithoutRecovery('report_incident.id')} THEN ended END AS recovered) AS known
       WHERE workspace_id = $1 AND monitor_id = $2 AND started < $4 AND (ended IS NULL OR ended > $3)`,
      [workspaceId, monitorId, from, to],
    );
    return row!;
  },
};
