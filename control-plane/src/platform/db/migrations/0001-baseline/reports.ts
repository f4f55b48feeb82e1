export const reportsTables = `
  -- Reports that were handed to delivery: each period of a workspace once, across restarts.
  CREATE TABLE report_sent (
    workspace_id uuid NOT NULL CONSTRAINT report_sent_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    kind text NOT NULL,
    -- The first day of the period, in the workspace's time zone.
    starts date NOT NULL,
    sent timestamptz(3) NOT NULL,
    CONSTRAINT report_sent_pkey PRIMARY KEY (workspace_id, kind, starts),
    CONSTRAINT report_sent_kind_check CHECK (kind IN ('daily', 'weekly', 'monthly'))
  );
`;
