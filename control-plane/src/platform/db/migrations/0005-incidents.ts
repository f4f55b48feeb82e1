import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Incidents1763700000005 implements MigrationInterface {
  name = 'Incidents1763700000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE incident (
        id uuid CONSTRAINT incident_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL CONSTRAINT incident_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        monitor_key bigint NOT NULL,
        monitor_id uuid NOT NULL,
        -- as it was called when the incident opened: it outlives the monitor
        monitor_name text NOT NULL,
        incident_type text NOT NULL,
        status text NOT NULL DEFAULT 'Ongoing',
        is_closed boolean NOT NULL DEFAULT false,
        severity text NOT NULL,
        regions text[] NOT NULL DEFAULT '{}',
        acknowledged boolean NOT NULL DEFAULT false,
        acknowledged_at timestamptz(3),
        acknowledged_by uuid,
        closed_by uuid,
        started timestamptz(3) NOT NULL,
        ended timestamptz(3),
        failure_reason text NOT NULL,
        context jsonb NOT NULL DEFAULT '{}',
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT incident_type_check CHECK (incident_type IN ('Availability', 'SslExpiry', 'Latency', 'Dns')),
        CONSTRAINT incident_status_check CHECK (status IN ('Ongoing', 'Investigating', 'Resolved')),
        CONSTRAINT incident_severity_check CHECK (severity IN ('down', 'partial', 'warning'))
      );
      -- one open incident a monitor and type, ever
      CREATE UNIQUE INDEX incident_open_key ON incident (workspace_id, monitor_key, incident_type) WHERE NOT is_closed;
      CREATE INDEX incident_workspace_idx ON incident (workspace_id, started DESC, id DESC);
      CREATE INDEX incident_monitor_idx ON incident (monitor_key, started DESC, id DESC);

      -- the timeline; seq keeps the order of what happened in the same millisecond
      CREATE TABLE incident_event (
        workspace_id uuid NOT NULL,
        incident_id uuid NOT NULL CONSTRAINT incident_event_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
        seq bigint GENERATED ALWAYS AS IDENTITY,
        at timestamptz(3) NOT NULL,
        type text NOT NULL,
        -- a user id, or null for the service itself
        actor uuid,
        detail jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT incident_event_pkey PRIMARY KEY (incident_id, seq, workspace_id)
      );

      CREATE TABLE incident_note (
        id uuid CONSTRAINT incident_note_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        incident_id uuid NOT NULL CONSTRAINT incident_note_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
        note text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        created_by uuid NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        modified_by uuid NOT NULL
      );
      CREATE INDEX incident_note_incident_idx ON incident_note (incident_id, created_at DESC, id DESC);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE incident_note, incident_event, incident');
  }
}
