export const markTables = `
  -- What happened outside, such as deploys. Kept for 90 days.
  CREATE TABLE mark (
    id uuid CONSTRAINT mark_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT mark_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    at timestamptz(3) NOT NULL,
    text text NOT NULL,
    tags text[] NOT NULL,
    url text,
    created timestamptz(3) NOT NULL
  );
  CREATE INDEX mark_workspace_idx ON mark (workspace_id, at, id);
  CREATE INDEX mark_at_idx ON mark (at);
`;
