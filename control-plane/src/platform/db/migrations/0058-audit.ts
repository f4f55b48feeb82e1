import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Audit1763700000058 implements MigrationInterface {
  name = 'Audit1763700000058';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Who changed what, when and by which way. No foreign keys: entries outlive what they are about, and those of a
      -- deleted workspace are purged later, in batches.
      CREATE TABLE audit_entry (
        id uuid CONSTRAINT audit_entry_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        at timestamptz(3) NOT NULL,
        -- <type of the target>.<verb>
        action text NOT NULL,
        actor_type text NOT NULL,
        actor_id uuid,
        -- of whoever is not a person: people's names are in user_name
        actor_name text,
        via text,
        target_id uuid NOT NULL,
        target_name text,
        -- where the target is a person
        target_user_id uuid,
        -- { field: { from, to } }
        changes jsonb NOT NULL,
        request_id text,
        remote_address text
      );
      CREATE INDEX audit_entry_workspace_idx ON audit_entry (workspace_id, at DESC, id DESC);
      CREATE INDEX audit_entry_actor_idx ON audit_entry (workspace_id, actor_id, at DESC, id DESC);
      CREATE INDEX audit_entry_target_idx ON audit_entry (workspace_id, target_id, at DESC, id DESC);
      CREATE INDEX audit_entry_at_idx ON audit_entry (at);
      CREATE INDEX audit_entry_deleted_workspace_idx ON audit_entry (at) WHERE action = 'workspace.deleted';

      -- Entries are added and never changed; only the purge, which says so in its transaction, deletes.
      CREATE FUNCTION audit_entry_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND current_setting('watchpost.purge_audit', true) = 'on' THEN
          RETURN NULL;
        END IF;
        RAISE EXCEPTION 'audit_entry is append-only' USING ERRCODE = 'insufficient_privilege';
      END $$;
      CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
        FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_append_only();

      -- What people were called and since when. It goes with the account: entries then keep the id alone.
      CREATE TABLE user_name (
        user_id uuid NOT NULL CONSTRAINT user_name_user_fk REFERENCES user_account (id) ON DELETE CASCADE,
        since timestamptz(3) NOT NULL,
        name text,
        CONSTRAINT user_name_pkey PRIMARY KEY (user_id, since)
      );
      INSERT INTO user_name (user_id, since, name) SELECT id, created, coalesce(name, email) FROM user_account;

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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER keep_user_name ON user_account;
      DROP FUNCTION keep_user_name();
      DROP TABLE user_name;
      DROP TABLE audit_entry;
      DROP FUNCTION audit_entry_append_only();
    `);
  }
}
