export const auditTables = `
  -- Who changed what, when and through which interface. No foreign keys: entries outlive what they describe, and those
  -- of a deleted workspace are purged later, in batches.
  CREATE TABLE audit_entry (
    id uuid CONSTRAINT audit_entry_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    at timestamptz(3) NOT NULL,
    -- <type of the target>.<verb>
    action text NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    -- Of an actor that is not a person; the names of people are in user_name.
    actor_name text,
    via text,
    -- Of mcp: { client, tool }
    assistant jsonb,
    target_id uuid NOT NULL,
    target_name text,
    -- Where the target is a person.
    target_user_id uuid,
    -- { field: { from, to } }
    changes jsonb NOT NULL,
    request_id text,
    remote_address text
  );
  CREATE INDEX audit_entry_workspace_idx ON audit_entry (workspace_id, at DESC, id DESC);
  CREATE INDEX audit_entry_actor_idx ON audit_entry (workspace_id, actor_id, at DESC, id DESC);
  CREATE INDEX audit_entry_target_idx ON audit_entry (workspace_id, target_id, at DESC, id DESC);
  CREATE INDEX audit_entry_action_idx ON audit_entry (workspace_id, action, at DESC, id DESC);
  CREATE INDEX audit_entry_at_idx ON audit_entry (at);
  CREATE INDEX audit_entry_deleted_workspace_idx ON audit_entry (at) WHERE action = 'workspace.deleted';

  -- The names of a person over time. They are deleted with the account: entries then keep only the id.
  CREATE TABLE user_name (
    user_id uuid NOT NULL CONSTRAINT user_name_user_fk REFERENCES user_account (id) ON DELETE CASCADE,
    since timestamptz(3) NOT NULL,
    name text,
    CONSTRAINT user_name_pkey PRIMARY KEY (user_id, since)
  );
`;

export const auditTriggers = `
  -- Entries are added and never changed. Only the purge deletes; it sets watchpost.purge_audit in its transaction.
  CREATE FUNCTION audit_entry_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_setting('watchpost.purge_audit', true) = 'on' THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION 'audit_entry is append-only' USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_append_only();

  CREATE FUNCTION keep_user_name() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND coalesce(NEW.name, NEW.email) IS NOT DISTINCT FROM coalesce(OLD.name, OLD.email) THEN
      RETURN NULL;
    END IF;
    INSERT INTO user_name (user_id, since, name) VALUES (NEW.id, NEW.last_modified, coalesce(NEW.name, NEW.email))
      ON CONFLICT ON CONSTRAINT user_name_pkey DO UPDATE SET name = excluded.name;
    RETURN NULL;
  END $$;
  CREATE TRIGGER keep_user_name AFTER INSERT OR UPDATE OF name, email ON user_account
    FOR EACH ROW EXECUTE FUNCTION keep_user_name();
`;
