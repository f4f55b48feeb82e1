export const locationsTables = `
  -- A place inside a workspace's own network. A deleted one remains: results name it, and its code is never given again.
  CREATE TABLE private_location (
    id uuid CONSTRAINT private_location_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT private_location_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    -- Names it in results, series and rollups, as the code of a region does, within its workspace.
    code smallint NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    allow_cidrs text[] NOT NULL,
    deny_cidrs text[] NOT NULL,
    labels jsonb NOT NULL,
    reachability text NOT NULL,
    notify_action_group_ids uuid[] NOT NULL,
    -- Since when none of its agents sees anything, as its action groups were notified.
    silent_since timestamptz(3),
    deleted_at timestamptz(3),
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT private_location_code_key UNIQUE (workspace_id, code),
    CONSTRAINT private_location_code_check CHECK (code >= 100),
    CONSTRAINT private_location_reachability_check CHECK (reachability IN ('advisory', 'voting'))
  );
  CREATE UNIQUE INDEX private_location_slug_key ON private_location (workspace_id, slug) WHERE deleted_at IS NULL;
`;
