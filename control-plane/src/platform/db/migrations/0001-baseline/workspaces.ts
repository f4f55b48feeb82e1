export const workspacesTables = `
  CREATE TABLE workspace (
    id uuid CONSTRAINT workspace_pkey PRIMARY KEY,
    name text NOT NULL,
    is_personal boolean NOT NULL DEFAULT false,
    owner_id uuid NOT NULL CONSTRAINT workspace_owner_fk REFERENCES user_account (id),
    -- When the present owner received the workspace; null where the owner created it.
    owned_since timestamptz(3),
    timezone text NOT NULL DEFAULT 'UTC',
    auto_close_incidents boolean NOT NULL DEFAULT true,
    incident_quorum text NOT NULL DEFAULT 'majority',
    default_action_group_ids uuid[] NOT NULL DEFAULT '{}',
    -- { value of the claim: role }
    role_mapping jsonb NOT NULL DEFAULT '{}',
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT workspace_quorum_check CHECK (incident_quorum IN ('any', 'majority', 'all'))
  );
  CREATE INDEX workspace_owner_idx ON workspace (owner_id);
  -- Finds the workspaces that map a value of a claim.
  CREATE INDEX workspace_role_mapping_idx ON workspace USING gin (role_mapping) WHERE role_mapping <> '{}';
  -- A user has at most one personal workspace, under concurrent requests too.
  CREATE UNIQUE INDEX workspace_personal_key ON workspace (owner_id) WHERE is_personal;

  CREATE TABLE workspace_member (
    id uuid CONSTRAINT workspace_member_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT workspace_member_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    user_id uuid NOT NULL CONSTRAINT workspace_member_user_fk REFERENCES user_account (id) ON DELETE CASCADE,
    role text NOT NULL,
    status text NOT NULL DEFAULT 'active',
    -- Whether people gave the role, or the workspace's mapping of a claim.
    role_source text NOT NULL DEFAULT 'hand',
    notification_preferences jsonb NOT NULL DEFAULT '{}',
    joined timestamptz(3) NOT NULL,
    last_used timestamptz(3) NOT NULL,
    -- Null: not changed since the member joined.
    last_modified timestamptz(3),
    CONSTRAINT workspace_member_user_key UNIQUE (workspace_id, user_id),
    CONSTRAINT workspace_member_role_check CHECK (role IN ('Viewer', 'Responder', 'Editor', 'Admin', 'Owner')),
    CONSTRAINT workspace_member_status_check CHECK (status IN ('active', 'suspended')),
    CONSTRAINT workspace_member_role_source_check CHECK (role_source IN ('hand', 'claim'))
  );
  CREATE INDEX workspace_member_user_idx ON workspace_member (user_id);
  CREATE UNIQUE INDEX workspace_member_owner_key ON workspace_member (workspace_id) WHERE role = 'Owner';

  -- A pending invitation whose time is over counts as expired. Answered and revoked ones are deleted after a while.
  CREATE TABLE invitation (
    id uuid CONSTRAINT invitation_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT invitation_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    -- In lower case.
    email text NOT NULL,
    role text NOT NULL,
    status text NOT NULL DEFAULT 'pending',
    -- No foreign key: the invitation remains valid when the inviter's account is deleted.
    invited_by uuid NOT NULL,
    -- SHA-256; only the link contains the token itself.
    token_hash bytea NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT invitation_token_key UNIQUE (token_hash),
    CONSTRAINT invitation_role_check CHECK (role IN ('Viewer', 'Responder', 'Editor', 'Admin')),
    CONSTRAINT invitation_status_check CHECK (status IN ('pending', 'accepted', 'declined', 'revoked'))
  );
  -- At most one pending invitation of an address to a workspace, under concurrent requests too.
  CREATE UNIQUE INDEX invitation_pending_key ON invitation (workspace_id, email) WHERE status = 'pending';
  CREATE INDEX invitation_workspace_idx ON invitation (workspace_id, created DESC, id DESC);
  CREATE INDEX invitation_settled_idx ON invitation (last_modified) WHERE status <> 'pending';

  -- One row for each link that was mailed, kept for a day: what the daily limits count. Without foreign keys,
  -- so that deleting a workspace does not renew its owner's allowance.
  CREATE TABLE invitation_link (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT invitation_link_pkey PRIMARY KEY,
    -- In lower case.
    email text NOT NULL,
    -- The owner of the workspace.
    owner_id uuid NOT NULL,
    invited_by uuid NOT NULL,
    created timestamptz(3) NOT NULL
  );
  CREATE INDEX invitation_link_email_idx ON invitation_link (email, created);
  CREATE INDEX invitation_link_inviter_idx ON invitation_link (invited_by, created);
  CREATE INDEX invitation_link_created_idx ON invitation_link (created);

  CREATE TABLE api_key (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT api_key_workspace_fk REFERENCES workspace ON DELETE CASCADE,
    -- With the membership, its keys end for good.
    member_id uuid NOT NULL CONSTRAINT api_key_member_fk REFERENCES workspace_member ON DELETE CASCADE,
    name text NOT NULL,
    -- The part of the key that is shown, and by which a request finds it.
    prefix text NOT NULL CONSTRAINT api_key_prefix_key UNIQUE,
    -- SHA-256 of the whole key.
    hash bytea NOT NULL,
    scopes text[] NOT NULL,
    created timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    -- To the minute.
    last_used_at timestamptz(3)
  );
  CREATE INDEX api_key_expires_idx ON api_key (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX api_key_member_idx ON api_key (member_id, created, id);
  CREATE INDEX api_key_workspace_idx ON api_key (workspace_id, created, id);
`;

export const workspacesViews = `
  -- Workspaces of suspended owners.
  CREATE VIEW suspended_workspace AS
    SELECT workspace.id AS workspace_id, owner.id AS owner_id, owner.suspended_at
    FROM workspace JOIN user_account owner ON owner.id = workspace.owner_id
    WHERE owner.suspended_at IS NOT NULL;

  -- Active members with the preferences by which they are reached.
  CREATE VIEW reachable_member AS
    SELECT member.workspace_id, member.user_id, member.role, member.notification_preferences AS preferences,
      account.email, account.name
    FROM workspace_member member JOIN user_account account ON account.id = member.user_id
    WHERE member.status = 'active';
`;
