import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The worst severity of an incident, where it was worse than the present one. Of earlier incidents it is known from their
 * openings, and from their events for notifications as far as these are kept.
 */
export class WorstSeverity1763900000008 implements MigrationInterface {
  readonly name = 'WorstSeverity1763900000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE incident ADD COLUMN worst_severity text,
        ADD CONSTRAINT incident_worst_severity_check CHECK (worst_severity IN ('down', 'partial', 'warning'));

      UPDATE incident SET worst_severity = 'down' WHERE severity = 'partial' AND (
        EXISTS (SELECT FROM incident_event opened WHERE opened.incident_id = incident.id AND opened.type = 'opened'
          AND opened.detail ->> 'severity' = 'down')
        OR EXISTS (SELECT FROM alert_event event WHERE event.incident_id = incident.id
          AND event.subject #>> '{incident,severity}' = 'down'));

      CREATE OR REPLACE VIEW alert_incident AS
        SELECT i.workspace_id, i.id,
          jsonb_build_object('id', i.id, 'workspaceId', i.workspace_id, 'monitorId', i.monitor_id,
            'monitorName', i.monitor_name, 'incidentType', i.incident_type, 'status', i.status, 'isClosed', i.is_closed,
            'severity', i.severity, 'worstSeverity', coalesce(i.worst_severity, i.severity), 'regions', to_jsonb(i.regions),
            'acknowledged', i.acknowledged, 'started', i.started, 'ended', i.ended, 'failureReason', i.failure_reason,
            'created', i.created, 'lastModified', i.last_modified)
          AS summary
        FROM incident i;

      CREATE OR REPLACE VIEW report_incident AS
        SELECT workspace_id, monitor_id, id, incident_type, severity, regions, started, ended, failure_reason,
          coalesce(worst_severity, severity) AS worst_severity
        FROM incident;

      CREATE OR REPLACE VIEW status_page_outage AS
        SELECT workspace_id, monitor_key, id, severity, started, ended,
          coalesce(worst_severity, severity) AS worst_severity
        FROM incident WHERE incident_type = 'Availability';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
