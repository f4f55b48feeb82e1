import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Monitors1763700000002 implements MigrationInterface {
  name = 'Monitors1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE monitor (
        id uuid CONSTRAINT monitor_pkey PRIMARY KEY,
        -- what the hot tables and the wire call it
        key bigint GENERATED ALWAYS AS IDENTITY,
        -- no foreign key: the tombstones of a deleted workspace's monitors outlive it
        workspace_id uuid NOT NULL,
        name text NOT NULL,
        url text NOT NULL,
        monitor_types text[] NOT NULL,
        monitoring_status text NOT NULL DEFAULT 'enabled',
        check_interval_ms integer NOT NULL,
        check_timeout_ms integer NOT NULL,
        checks_before_alert smallint NOT NULL,
        checks_before_recovery smallint NOT NULL,
        enabled_regions text[] NOT NULL DEFAULT '{}',
        service_group_id uuid,
        reporting jsonb NOT NULL,
        http jsonb NOT NULL,
        ssl jsonb NOT NULL,
        latency jsonb NOT NULL,
        dns jsonb NOT NULL,
        tcp_udp jsonb NOT NULL,
        -- header values that are secrets, encrypted as one JSON object; null where there are none
        http_secrets bytea,
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        -- when something that a check depends on last changed: a due time of its own
        checks_changed timestamptz(3) NOT NULL,
        -- the transaction that wrote the row last: what a delta of assignments is asked by. Ids of
        -- transactions are handed out before they commit, so readers ask from the oldest one running.
        revision bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
        -- a deleted monitor stays as a tombstone until every agent has heard of it
        deleted_at timestamptz(3),
        CONSTRAINT monitor_key_key UNIQUE (key),
        CONSTRAINT monitor_status_check CHECK (monitoring_status IN ('enabled', 'disabled', 'paused'))
      );
      CREATE INDEX monitor_workspace_idx ON monitor (workspace_id, created DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX monitor_revision_idx ON monitor (revision, key);
      CREATE INDEX monitor_tombstone_idx ON monitor (deleted_at) WHERE deleted_at IS NOT NULL;

      CREATE FUNCTION monitor_touch() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.revision := pg_current_xact_id()::text::bigint;
        RETURN NEW;
      END $$;
      CREATE TRIGGER monitor_touch BEFORE UPDATE ON monitor FOR EACH ROW EXECUTE FUNCTION monitor_touch();

      -- A workspace is deleted in many ways (with its owner's account too); its monitors stop being checked in all.
      CREATE FUNCTION monitor_bury_of_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE monitor SET deleted_at = now(), last_modified = now(), http_secrets = NULL
        WHERE workspace_id = OLD.id AND deleted_at IS NULL;
        RETURN NULL;
      END $$;
      CREATE TRIGGER workspace_monitors_buried AFTER DELETE ON workspace
        FOR EACH ROW EXECUTE FUNCTION monitor_bury_of_workspace();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER workspace_monitors_buried ON workspace;
      DROP FUNCTION monitor_bury_of_workspace;
      DROP TABLE monitor;
      DROP FUNCTION monitor_touch;
    `);
  }
}
