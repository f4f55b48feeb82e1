export const incidentsTables = `
  CREATE TABLE incident (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    -- No foreign keys: the incident outlives the monitor.
    monitor_key bigint NOT NULL,
    monitor_id uuid NOT NULL,
    -- The name when the incident opened.
    monitor_name text NOT NULL,
    incident_type text NOT NULL,
    status text DEFAULT 'Ongoing' NOT NULL,
    is_closed boolean DEFAULT false NOT NULL,
    severity text NOT NULL,
    regions text[] DEFAULT '{}' NOT NULL,
    acknowledged boolean DEFAULT false NOT NULL,
    acknowledged_at timestamptz(3),
    acknowledged_by uuid,
    closed_by uuid,
    started timestamptz(3) NOT NULL,
    ended timestamptz(3),
    failure_reason text NOT NULL,
    context jsonb DEFAULT '{}'::jsonb NOT NULL,
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    worst_severity text,
    CONSTRAINT incident_pkey PRIMARY KEY (id),
    CONSTRAINT incident_severity_check CHECK (severity IN ('down', 'partial', 'warning')),
    CONSTRAINT incident_status_check CHECK (status IN ('Ongoing', 'Investigating', 'Resolved')),
    CONSTRAINT incident_type_check CHECK (incident_type IN ('Availability', 'Assertion', 'SslExpiry', 'Latency', 'Dns', 'Domain', 'Heartbeat')),
    CONSTRAINT incident_worst_severity_check CHECK (worst_severity IN ('down', 'partial', 'warning')),
    CONSTRAINT incident_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
  );
  -- At most one open incident of a monitor and type.
  CREATE UNIQUE INDEX incident_open_key ON incident (workspace_id, monitor_key, incident_type) WHERE NOT is_closed;
  CREATE INDEX incident_workspace_idx ON incident (workspace_id, started DESC, id DESC);
  -- Nothing changes it after it was closed.
  CREATE INDEX incident_closed_idx ON incident (workspace_id, last_modified) WHERE is_closed;
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
`;

export const incidentsViews = `
  -- For alerts: how messages describe an incident.
  CREATE VIEW alert_incident AS
  SELECT workspace_id, id, jsonb_build_object('id', id, 'workspaceId', workspace_id, 'monitorId', monitor_id,
    'monitorName', monitor_name, 'incidentType', incident_type, 'status', status, 'isClosed', is_closed,
    'severity', severity, 'worstSeverity', coalesce(worst_severity, severity), 'regions',
      -- A private location by its slug of today.
      (SELECT coalesce(jsonb_agg(coalesce('private:' || place.slug, named) ORDER BY at), '[]')
        FROM unnest(regions) WITH ORDINALITY AS of (named, at) LEFT JOIN private_location place
          ON named LIKE 'private:#%' AND place.workspace_id = i.workspace_id AND 'private:#' || place.code = named),
    'acknowledged', acknowledged,
    'acknowledgedByName', (SELECT coalesce(name, email) FROM user_account WHERE id = acknowledged_by), 'started', started, 'ended', ended, 'failureReason', failure_reason,
    'dependentCount', (SELECT count(*) FROM incident_dependent WHERE incident_id = i.id),
    'created', created, 'lastModified', last_modified) AS summary
  FROM incident i;

  -- For reports.
  CREATE VIEW report_incident AS
    SELECT workspace_id, monitor_id, id, incident_type, severity, regions, started, ended, failure_reason,
      coalesce(worst_severity, severity) AS worst_severity
    FROM incident;

  -- For status pages: only what is public.
  CREATE VIEW status_page_outage AS
    SELECT workspace_id, monitor_key, id, severity, started, ended,
      coalesce(worst_severity, severity) AS worst_severity,
      is_closed,
      coalesce((SELECT max(event.at) FROM incident_event event
        WHERE event.incident_id = incident.id AND event.type = 'status_changed' AND event.actor IS NULL
          AND event.detail ->> 'status' = 'Ongoing' AND event.detail -> 'flapping' IS NULL), started) AS began
    FROM incident WHERE incident_type IN ('Availability', 'Heartbeat');
`;
