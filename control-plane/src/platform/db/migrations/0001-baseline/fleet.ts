export const fleetTables = `
  -- Signs the certificates of agents, and of the gRPC port where it has none of its own. The newest one signs, all are
  -- trusted.
  CREATE TABLE certificate_authority (
    id uuid CONSTRAINT certificate_authority_pkey PRIMARY KEY,
    certificate bytea NOT NULL,
    -- PKCS #8, sealed under the id.
    sealed_key bytea NOT NULL,
    created timestamptz(3) NOT NULL
  );

  CREATE TABLE agent (
    id uuid CONSTRAINT agent_pkey PRIMARY KEY,
    -- Identifies the agent in hot tables.
    key integer GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    -- The place whose checks it runs: the name of a region, or the id of a private location.
    region text NOT NULL,
    -- Of an agent of a private location: the workspace that it belongs to.
    workspace_id uuid CONSTRAINT agent_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    -- SHA-256 of the token: 256 random bits need no salt and no slow hash.
    token_hash bytea NOT NULL,
    token_spent timestamptz(3),
    -- SHA-256 of the public key that used the token: only this key may enrol with it again.
    enrolled_key bytea,
    status text NOT NULL DEFAULT 'active',
    version text,
    -- Such as linux-x64.
    platform text,
    -- Whether it can trace paths to addresses; null where it did not report that.
    can_trace boolean,
    -- The kinds of checks that the agent can run in the present epoch of its region; fleet_lease has those it reports.
    capabilities text[] NOT NULL DEFAULT '{}',
    last_seen timestamptz(3),
    checks integer NOT NULL DEFAULT 0,
    spool_depth integer NOT NULL DEFAULT 0,
    lag_p99_us integer NOT NULL DEFAULT 0,
    -- The visibility that the agent reports.
    visibility text NOT NULL DEFAULT 'unknown',
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT agent_key_key UNIQUE (key),
    CONSTRAINT agent_token_key UNIQUE (token_hash),
    CONSTRAINT agent_status_check CHECK (status IN ('active', 'draining', 'revoked')),
    CONSTRAINT agent_visibility_check CHECK (visibility IN ('unknown', 'seeing', 'blind'))
  );
  CREATE UNIQUE INDEX agent_name_key ON agent (region, name) WHERE status <> 'revoked';
  CREATE INDEX agent_workspace_idx ON agent (workspace_id) WHERE workspace_id IS NOT NULL;

  -- A certificate that is not in this table is refused, even with a valid signature.
  CREATE TABLE agent_certificate (
    serial bytea CONSTRAINT agent_certificate_pkey PRIMARY KEY,
    agent_id uuid NOT NULL CONSTRAINT agent_certificate_agent_fk REFERENCES agent (id) ON DELETE CASCADE,
    -- Null: of the only authority that an installation had before it could have two.
    authority_id uuid CONSTRAINT agent_certificate_authority_fk
      REFERENCES certificate_authority (id) ON DELETE CASCADE,
    issued timestamptz(3) NOT NULL,
    expires timestamptz(3) NOT NULL,
    -- When the agent first connected with it: it then has the certificate and the authorities that were sent with it.
    first_used timestamptz(3)
  );
  CREATE INDEX agent_certificate_agent ON agent_certificate (agent_id, expires);

  -- The membership of a region. The epoch increases with every change of it.
  CREATE TABLE fleet_region (
    region text CONSTRAINT fleet_region_pkey PRIMARY KEY,
    epoch bigint NOT NULL DEFAULT 1,
    members uuid[] NOT NULL DEFAULT '{}',
    -- Recent memberships, newest first: the new owner of a check has to know the former one.
    former jsonb NOT NULL DEFAULT '[]'
  );

  -- The processes that serve agents. All times are those of the database.
  CREATE TABLE fleet_process (
    id uuid CONSTRAINT fleet_process_pkey PRIMARY KEY,
    -- Since when without a gap.
    live_since timestamptz(3) NOT NULL,
    seen timestamptz(3) NOT NULL,
    stopped boolean NOT NULL DEFAULT false
  );

  -- Which process holds an agent's stream, or held it last.
  CREATE TABLE fleet_lease (
    agent_id uuid NOT NULL,
    region text NOT NULL,
    process_id uuid NOT NULL,
    -- Identifies the stream.
    session_id uuid NOT NULL,
    connected boolean NOT NULL,
    left_at timestamptz(3),
    -- The kinds of checks that the agent reports.
    capabilities text[] NOT NULL,
    -- The newest epoch of its region of which the agent has taken over all its checks.
    taken_over_epoch bigint,
    taken_at timestamptz(3),
    CONSTRAINT fleet_lease_pkey PRIMARY KEY (agent_id),
    CONSTRAINT fleet_lease_agent_fk FOREIGN KEY (agent_id) REFERENCES agent(id) ON DELETE CASCADE
  );
  CREATE INDEX fleet_lease_region_idx ON fleet_lease (region);
`;

export const fleetViews = `
  -- For results: the visibility of the agents of each region; agents of private locations show nothing about regions.
  CREATE VIEW agent_visibility AS
    SELECT region, visibility, last_seen FROM agent WHERE status <> 'revoked' AND workspace_id IS NULL;
  -- For monitors: the kinds of checks that the connected agents of each place can run.
  CREATE VIEW agent_kind AS
    SELECT lease.region, kind FROM fleet_lease lease CROSS JOIN LATERAL unnest(lease.capabilities) AS kind
      JOIN fleet_process process ON process.id = lease.process_id JOIN agent ON agent.id = lease.agent_id
    WHERE connected AND NOT stopped AND seen > clock_timestamp() - interval '1 minute' AND status <> 'revoked';
`;
