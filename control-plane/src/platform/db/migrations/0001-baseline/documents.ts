export const documentsTables = `
  CREATE TABLE managed_object (
    workspace_id uuid NOT NULL CONSTRAINT managed_object_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    project text NOT NULL,
    -- The section of the document: monitors.
    kind text NOT NULL,
    key text NOT NULL,
    object_id uuid NOT NULL,
    CONSTRAINT managed_object_pkey PRIMARY KEY (workspace_id, project, kind, key),
    CONSTRAINT managed_object_object_key UNIQUE (workspace_id, kind, object_id)
  );
`;
