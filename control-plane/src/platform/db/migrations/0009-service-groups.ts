import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ServiceGroups1763700000009 implements MigrationInterface {
  name = 'ServiceGroups1763700000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Its row is what is locked while monitors join it: the one-per-type rule is decided under that lock.
      CREATE TABLE service_group (
        id uuid CONSTRAINT service_group_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL
          CONSTRAINT service_group_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        name text NOT NULL,
        -- null: the host that its monitors have in common is shown
        hostname text,
        -- a deleted group can be restored until it is purged
        deleted_at timestamptz(3),
        purge_at timestamptz(3),
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT service_group_purge_check CHECK ((deleted_at IS NULL) = (purge_at IS NULL))
      );
      CREATE INDEX service_group_workspace_idx ON service_group (workspace_id, created DESC, id DESC);
      CREATE INDEX service_group_purge_idx ON service_group (purge_at) WHERE purge_at IS NOT NULL;

      ALTER TABLE monitor
        ADD CONSTRAINT monitor_service_group_fk FOREIGN KEY (service_group_id)
          REFERENCES service_group (id) ON DELETE SET NULL,
        -- The group that it was deleted with, and with which it can be restored: until then it is a tombstone
        -- that keeps its secrets and is not purged.
        ADD COLUMN buried_with uuid
          CONSTRAINT monitor_buried_with_fk REFERENCES service_group (id) ON DELETE SET NULL;
      CREATE INDEX monitor_service_group_idx ON monitor (service_group_id) WHERE service_group_id IS NOT NULL;
      CREATE INDEX monitor_buried_with_idx ON monitor (buried_with) WHERE buried_with IS NOT NULL;

      -- With its workspace, nothing of a monitor can be restored any more.
      CREATE OR REPLACE FUNCTION monitor_bury_of_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE monitor SET deleted_at = coalesce(deleted_at, now()), last_modified = now(), http_secrets = NULL,
          buried_with = NULL
        WHERE workspace_id = OLD.id AND (deleted_at IS NULL OR http_secrets IS NOT NULL);
        RETURN NULL;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION monitor_bury_of_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE monitor SET deleted_at = now(), last_modified = now(), http_secrets = NULL
        WHERE workspace_id = OLD.id AND deleted_at IS NULL;
        RETURN NULL;
      END $$;
      ALTER TABLE monitor DROP COLUMN buried_with, DROP CONSTRAINT monitor_service_group_fk;
      DROP INDEX monitor_service_group_idx;
      DROP TABLE service_group;
    `);
  }
}
