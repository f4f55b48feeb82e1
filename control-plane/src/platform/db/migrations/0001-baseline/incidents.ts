export const incidentTables = `
  CREATE TABLE incident (
    id uuid CONSTRAINT incident_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT incident_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    -- No foreign keys: the incident outlives the monitor.
    monitor_key bigint NOT NULL,
    monitor_id uuid NOT NULL,
    -- The name when the incident opened.
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
  -- At most one open incident of a monitor and type.
  CREATE UNIQUE INDEX incident_open_key ON incident (workspace_id, monitor_key, incident_type) WHERE NOT is_closed;
  CREATE INDEX incident_workspace_idx ON incident (workspace_id, started DESC, id DESC);
  CREATE INDEX incident_monitor_idx ON incident (monitor_key, started DESC, id DESC);

  -- The timeline.
  CREATE TABLE incident_event (
    workspace_id uuid NOT NULL,
    incident_id uuid NOT NULL CONSTRAINT incident_event_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
    -- Orders events of the same millisecond.
    seq bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz(3) NOT NULL,
    type text NOT NULL,
    -- A user id, or null for the service itself.
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
`;

/** What other capabilities read of incidents. */
export const incidentViews = `
  -- For alerts: how messages describe an incident.
  CREATE VIEW alert_incident AS
    SELECT i.workspace_id, i.id,
      jsonb_build_object('id', i.id, 'workspaceId', i.workspace_id, 'monitorId', i.monitor_id,
        'monitorName', i.monitor_name, 'incidentType', i.incident_type, 'status', i.status, 'isClosed', i.is_closed,
        'severity', i.severity, 'regions', to_jsonb(i.regions), 'acknowledged', i.acknowledged, 'started', i.started,
        'ended', i.ended, 'failureReason', i.failure_reason, 'created', i.created, 'lastModified', i.last_modified)
      AS summary
    FROM incident i;

  -- For reports.
  CREATE VIEW report_incident AS
  SELECT workspace_id, monitor_id, id, incident_type, severity, regions, started, ended, failure_reason FROM incident;

  -- For status pages: only what is public.
  CREATE VIEW status_page_outage AS
  SELECT workspace_id, monitor_key, id, severity, started, ended FROM incident WHERE incident_type = 'Availability';
`;
