import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Alerts1763700000012 implements MigrationInterface {
  name = 'Alerts1763700000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE action_group (
        id uuid CONSTRAINT action_group_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL CONSTRAINT action_group_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        type text NOT NULL,
        name text NOT NULL,
        is_enabled boolean NOT NULL DEFAULT true,
        -- where it sends to, as it is shown: secrets are masked
        settings jsonb NOT NULL,
        -- the secrets themselves, encrypted as one JSON object; null where there are none
        secrets bytea,
        -- the signing secret before the last rotation, encrypted, and until when it signs too
        former_secret bytea,
        former_secret_until timestamptz(3),
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT action_group_type_check CHECK (type IN ('email', 'sms', 'webhook', 'slack', 'teams')),
        CONSTRAINT action_group_former_check CHECK ((former_secret IS NULL) = (former_secret_until IS NULL))
      );
      CREATE INDEX action_group_workspace_idx ON action_group (workspace_id, created DESC, id DESC);
      CREATE INDEX action_group_former_idx ON action_group (former_secret_until) WHERE former_secret_until IS NOT NULL;

      -- which groups hear of a monitor
      CREATE TABLE action_group_monitor (
        group_id uuid NOT NULL CONSTRAINT action_group_monitor_group_fk REFERENCES action_group (id) ON DELETE CASCADE,
        monitor_key bigint NOT NULL CONSTRAINT action_group_monitor_monitor_fk REFERENCES monitor (key) ON DELETE CASCADE,
        attached timestamptz(3) NOT NULL,
        CONSTRAINT action_group_monitor_pkey PRIMARY KEY (group_id, monitor_key)
      );
      CREATE INDEX action_group_monitor_monitor_idx ON action_group_monitor (monitor_key);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE action_group_monitor, action_group');
  }
}
