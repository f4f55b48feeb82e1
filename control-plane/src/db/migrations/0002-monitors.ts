import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Monitors1763700000002 implements MigrationInterface {
  name = 'Monitors1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE monitor (
        id uuid CONSTRAINT monitor_pkey PRIMARY KEY,
        -- what the hot tables and the wire call it
        key bigint GENERATED ALWAYS AS IDENTITY,
        workspace_id uuid NOT NULL CONSTRAINT monitor_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
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
      CREATE INDEX monitor_revision_idx ON monitor (revision);

      CREATE FUNCTION monitor_touch() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.revision := pg_current_xact_id()::text::bigint;
        RETURN NEW;
      END $$;
      CREATE TRIGGER monitor_touch BEFORE UPDATE ON monitor FOR EACH ROW EXECUTE FUNCTION monitor_touch();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE monitor; DROP FUNCTION monitor_touch');
  }
}
