export const platformTables = `
  -- One row: identifies this database among those that share a Redis, and detects a process with the wrong key.
  CREATE TABLE installation (
    id uuid CONSTRAINT installation_pkey PRIMARY KEY,
    is_only boolean NOT NULL DEFAULT true,
    -- A constant that the first process sealed. A process with another encryption key cannot open it.
    key_mark bytea,
    CONSTRAINT installation_only_key UNIQUE (is_only),
    CONSTRAINT installation_only_check CHECK (is_only)
  );
  INSERT INTO installation (id) VALUES (gen_random_uuid());

  -- Requests with an Idempotency-Key, and the answer that a repeated request receives.
  CREATE TABLE idempotency_key (
    principal_id uuid NOT NULL,
    -- The nil UUID for routes without a workspace.
    workspace_id uuid NOT NULL,
    operation text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    -- committed: a change of the request is in the database; done: nothing is left to do.
    stage text NOT NULL DEFAULT 'claimed',
    -- The request that is being served: only it may write the answer.
    owner uuid NOT NULL,
    locked_until timestamptz(3) NOT NULL,
    expires timestamptz(3) NOT NULL,
    -- Encrypted; null while the first request runs.
    answer bytea,
    -- Of what was created, where the answer is not kept.
    location text,
    CONSTRAINT idempotency_key_pkey PRIMARY KEY (principal_id, workspace_id, operation, key),
    CONSTRAINT idempotency_key_stage_check CHECK (stage IN ('claimed', 'committed', 'done'))
  );
  CREATE INDEX idempotency_key_expires_idx ON idempotency_key (expires);

  -- Bytes of the answers that are kept for a principal.
  CREATE TABLE idempotency_usage (
    principal_id uuid NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT idempotency_usage_pkey PRIMARY KEY (principal_id),
    CONSTRAINT idempotency_usage_bytes_check CHECK (bytes >= 0)
  );

  -- The state of an MCP session is in its id. Only sessions that ended early are kept, until they would have expired.
  CREATE TABLE mcp_ended_session (
    id uuid PRIMARY KEY,
    expires timestamptz NOT NULL
  );
  CREATE INDEX mcp_ended_session_expires ON mcp_ended_session (expires DESC, id);

  CREATE TABLE schema_version (
    is_only boolean NOT NULL DEFAULT true,
    readable_from integer NOT NULL,
    program text NOT NULL,
    CONSTRAINT schema_version_pkey PRIMARY KEY (is_only),
    CONSTRAINT schema_version_only_check CHECK (is_only)
  );
  INSERT INTO schema_version (readable_from, program) VALUES (1, '');
`;
