export const heartbeatsTables = `
  CREATE TABLE ping_token (
    monitor_id uuid NOT NULL,
    hash bytea NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT ping_token_pkey PRIMARY KEY (monitor_id),
    CONSTRAINT ping_token_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitor (id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX ping_token_hash_key ON ping_token (hash);

  -- Only who holds the lock of the monitor's row in monitor_state writes here. No index has a column that pings change, so
  -- that updates stay heap-only.
  CREATE TABLE heartbeat (
    monitor_key bigint PRIMARY KEY CONSTRAINT heartbeat_monitor_fk REFERENCES monitor (key) ON DELETE CASCADE,
    workspace_id uuid NOT NULL,
    counts_from timestamptz(3) NOT NULL,
    last_ping timestamptz(3),
    due_from timestamptz(3),
    succeeded timestamptz(3),
    runs jsonb NOT NULL DEFAULT '[]',
    failure jsonb,
    expected_by timestamptz(3)
  ) WITH (fillfactor = 80);

  CREATE TABLE ping (
    monitor_key bigint NOT NULL,
    at timestamptz(3) NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    kind smallint NOT NULL,
    exit_code smallint,
    rid text,
    runtime_ms bigint,
    remote_address text,
    user_agent text,
    body text,
    CONSTRAINT ping_pkey PRIMARY KEY (monitor_key, at, seq)
  );
  CREATE INDEX ping_at_idx ON ping USING brin (at);

  CREATE TABLE heartbeat_change (
    monitor_key bigint NOT NULL,
    at timestamptz(3) NOT NULL,
    verdict text NOT NULL,
    CONSTRAINT heartbeat_change_pkey PRIMARY KEY (monitor_key, at),
    CONSTRAINT heartbeat_change_verdict_check CHECK (verdict IN ('available', 'unavailable', 'unknown'))
  );
  CREATE INDEX heartbeat_change_at_idx ON heartbeat_change USING brin (at);

  CREATE TABLE ping_reception (
    id smallint PRIMARY KEY CONSTRAINT ping_reception_one_check CHECK (id = 1),
    received_until timestamptz(3) NOT NULL
  );

  CREATE TABLE ping_outage (
    started timestamptz(3) PRIMARY KEY,
    ended timestamptz(3) NOT NULL
  );
  CREATE INDEX ping_outage_ended_idx ON ping_outage (ended);

  CREATE TABLE imported_ping_token (
    monitor_id uuid NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT imported_ping_token_pkey PRIMARY KEY (monitor_id),
    CONSTRAINT imported_ping_token_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitor (id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX imported_ping_token_hash_key ON imported_ping_token (hash);
`;

export const heartbeatsViews = `
  -- For heartbeats: what pings and deadlines of a monitor depend on.
  CREATE VIEW heartbeat_subject AS
  SELECT key AS monitor_key, id AS monitor_id, workspace_id, owner_id, heartbeat AS settings, checks_changed,
    monitoring_status = 'enabled' AS is_enabled
  FROM monitor WHERE heartbeat IS NOT NULL AND deleted_at IS NULL;
`;
