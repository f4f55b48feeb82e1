export const usersTables = `
  -- People and service clients, by what their identity provider calls them.
  CREATE TABLE user_account (
    id uuid CONSTRAINT user_account_pkey PRIMARY KEY,
    issuer text NOT NULL,
    subject text NOT NULL,
    email text,
    email_verified boolean NOT NULL DEFAULT false,
    -- When the identity provider stated the email. An older statement does not replace it; null is unknown.
    email_as_of timestamptz(3),
    name text,
    -- The plan in force, during a trial too.
    plan text NOT NULL DEFAULT 'Starter',
    -- Limits of this account that differ from its plan, by limit key.
    plan_limits jsonb NOT NULL DEFAULT '{}',
    trial_plan text,
    trial_started timestamptz(3),
    trial_ends timestamptz(3),
    -- The plan to which the account returns when its trial ends; null where no trial runs.
    trial_fallback text,
    -- Set by the operator: nothing of the account runs, and nothing of it is lost.
    suspended_at timestamptz(3),
    -- At the console.
    last_sign_in timestamptz(3),
    preferences jsonb NOT NULL DEFAULT '{}',
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT user_account_principal_key UNIQUE (issuer, subject),
    CONSTRAINT user_account_plan_check CHECK (plan IN ('Starter', 'Growth', 'Pro', 'Enterprise')),
    CONSTRAINT user_account_trial_check CHECK (
      num_nulls(trial_plan, trial_started, trial_ends) IN (0, 3)
      AND trial_plan IN ('Growth', 'Pro', 'Enterprise')
      AND trial_fallback IN ('Starter', 'Growth', 'Pro', 'Enterprise')
      AND (trial_fallback IS NULL OR trial_plan IS NOT NULL))
  );
  CREATE INDEX user_account_email_idx ON user_account (lower(email));
  CREATE INDEX user_account_trial_idx ON user_account (trial_ends) WHERE trial_fallback IS NOT NULL;
  CREATE INDEX user_account_suspended_idx ON user_account (id) WHERE suspended_at IS NOT NULL;

  -- A browser that is signed in to the console.
  CREATE TABLE console_session (
    id uuid CONSTRAINT console_session_pkey PRIMARY KEY,
    user_id uuid NOT NULL CONSTRAINT console_session_user_fk REFERENCES user_account ON DELETE CASCADE,
    -- SHA-256 of the value of the cookie.
    token_hash bytea NOT NULL CONSTRAINT console_session_token_key UNIQUE,
    created timestamptz(3) NOT NULL,
    -- To the minute.
    last_seen timestamptz(3) NOT NULL,
    -- When the session ends whatever happens.
    expires timestamptz(3) NOT NULL,
    user_agent text,
    remote_address text,
    -- Sealed, for the sign-out at the provider.
    id_token bytea
  );
  CREATE INDEX console_session_user_idx ON console_session (user_id, last_seen, id);
`;
