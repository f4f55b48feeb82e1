export const embeddedProviderTables = `
  -- What the embedded OpenID provider stores: sessions, grants, codes, tokens, registered clients.
  CREATE TABLE provider_entity (
    kind text NOT NULL,
    id text NOT NULL,
    -- json, not jsonb: registered clients choose their names, and jsonb refuses some Unicode characters.
    payload json NOT NULL,
    grant_id text,
    user_code text,
    uid text,
    consumed_at timestamptz(3),
    -- Null: does not expire.
    expires_at timestamptz(3),
    CONSTRAINT provider_entity_pkey PRIMARY KEY (kind, id)
  );
  CREATE INDEX provider_entity_grant_idx ON provider_entity (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX provider_entity_user_code_idx ON provider_entity (kind, user_code) WHERE user_code IS NOT NULL;
  CREATE INDEX provider_entity_uid_idx ON provider_entity (kind, uid) WHERE uid IS NOT NULL;
  CREATE INDEX provider_entity_expires_idx ON provider_entity (expires_at) WHERE expires_at IS NOT NULL;

  -- Accounts that can sign in at the embedded provider.
  CREATE TABLE provider_account (
    id text CONSTRAINT provider_account_pkey PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text NOT NULL,
    created timestamptz(3) NOT NULL
  );
  CREATE UNIQUE INDEX provider_account_email_key ON provider_account (lower(email));

  -- One row: what the embedded provider generated at its first start.
  CREATE TABLE provider_setup (
    id boolean CONSTRAINT provider_setup_pkey PRIMARY KEY DEFAULT true,
    -- Signing keys, cookie keys, client secret and demo password: one JSON object, encrypted.
    secrets bytea NOT NULL,
    -- The address under which it last ran.
    issuer text NOT NULL,
    audience text NOT NULL,
    created timestamptz(3) NOT NULL,
    CONSTRAINT provider_setup_one_check CHECK (id)
  );
`;
