import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The failures that are attached to the incident of what their monitors depend on. */
export class Dependents1763900000033 implements Migration {
  readonly name = 'Dependents1763900000033';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE incident_dependent (
        incident_id uuid NOT NULL,
        monitor_key bigint NOT NULL,
        workspace_id uuid NOT NULL,
        monitor_id uuid NOT NULL,
        monitor_name text NOT NULL,
        incident_type text NOT NULL,
        severity text NOT NULL,
        regions text[] NOT NULL,
        failure_reason text NOT NULL,
        context jsonb NOT NULL,
        failed timestamptz(3) NOT NULL,
        -- null: it still fails
        ended timestamptz(3),
        -- Its failure became an incident of its own, because it outlasted this one.
        own_incident_id uuid,
        CONSTRAINT incident_dependent_pkey PRIMARY KEY (incident_id, monitor_key),
        CONSTRAINT incident_dependent_incident_fk FOREIGN KEY (incident_id) REFERENCES incident (id) ON DELETE CASCADE
      );
      CREATE INDEX incident_dependent_failing_idx ON incident_dependent (monitor_key) WHERE ended IS NULL;

      CREATE OR REPLACE VIEW alert_incident AS
      SELECT workspace_id, id, jsonb_build_object('id', id, 'workspaceId', workspace_id, 'monitorId', monitor_id,
        'monitorName', monitor_name, 'incidentType', incident_type, 'status', status, 'isClosed', is_closed,
        'severity', severity, 'worstSeverity', coalesce(worst_severity, severity), 'regions', to_jsonb(regions),
        'acknowledged', acknowledged, 'started', started, 'ended', ended, 'failureReason', failure_reason,
        'dependentCount', (SELECT count(*) FROM incident_dependent WHERE incident_id = i.id),
        'created', created, 'lastModified', last_modified) AS summary
      FROM incident i;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
