import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StatusPages1763700000013 implements MigrationInterface {
  name = 'StatusPages1763700000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE status_page (
        id uuid CONSTRAINT status_page_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL
          CONSTRAINT status_page_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        name text NOT NULL,
        slug text NOT NULL,
        description text NOT NULL,
        is_published boolean NOT NULL,
        show_incident_history boolean NOT NULL,
        theme text NOT NULL,
        banner jsonb,
        -- the headings, in order; systems name theirs by its place
        group_names text[] NOT NULL,
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT status_page_theme_check CHECK (theme IN ('light', 'dark', 'auto'))
      );
      -- the address is the same for all workspaces
      CREATE UNIQUE INDEX status_page_slug_key ON status_page (slug);
      CREATE INDEX status_page_workspace_idx ON status_page (workspace_id, created DESC, id DESC);

      CREATE TABLE status_page_system (
        id uuid CONSTRAINT status_page_system_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        page_id uuid NOT NULL CONSTRAINT status_page_system_page_fk REFERENCES status_page (id) ON DELETE CASCADE,
        group_index smallint NOT NULL,
        place smallint NOT NULL,
        name text NOT NULL,
        monitor_id uuid CONSTRAINT status_page_system_monitor_fk REFERENCES monitor (id) ON DELETE CASCADE,
        service_group_id uuid
          CONSTRAINT status_page_system_service_group_fk REFERENCES service_group (id) ON DELETE CASCADE,
        override_status text,
        override_message text,
        CONSTRAINT status_page_system_target_check CHECK (num_nonnulls(monitor_id, service_group_id) = 1),
        CONSTRAINT status_page_system_override_check CHECK (
          override_status IN ('operational', 'degraded', 'partialOutage', 'majorOutage', 'maintenance'))
      );
      CREATE INDEX status_page_system_page_idx ON status_page_system (page_id, group_index, place);
      CREATE INDEX status_page_system_monitor_idx ON status_page_system (monitor_id) WHERE monitor_id IS NOT NULL;
      CREATE INDEX status_page_system_service_group_idx ON status_page_system (service_group_id)
        WHERE service_group_id IS NOT NULL;

      CREATE TABLE status_page_post (
        id uuid CONSTRAINT status_page_post_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        page_id uuid NOT NULL CONSTRAINT status_page_post_page_fk REFERENCES status_page (id) ON DELETE CASCADE,
        title text NOT NULL,
        body text NOT NULL,
        kind text NOT NULL,
        status text NOT NULL,
        system_ids uuid[] NOT NULL,
        scheduled_start timestamptz(3),
        scheduled_end timestamptz(3),
        created_by uuid NOT NULL,
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT status_page_post_kind_check CHECK (kind IN ('incident', 'update', 'maintenance')),
        CONSTRAINT status_page_post_status_check CHECK (
          status IN ('investigating', 'identified', 'monitoring', 'resolved', 'scheduled'))
      );
      CREATE INDEX status_page_post_page_idx ON status_page_post (page_id, created DESC, id DESC);

      -- what was added to a post since
      CREATE TABLE status_page_post_update (
        id uuid CONSTRAINT status_page_post_update_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        post_id uuid NOT NULL
          CONSTRAINT status_page_post_update_post_fk REFERENCES status_page_post (id) ON DELETE CASCADE,
        status text NOT NULL,
        body text,
        created_by uuid NOT NULL,
        created timestamptz(3) NOT NULL
      );
      CREATE INDEX status_page_post_update_post_idx ON status_page_post_update (post_id, created DESC, id DESC);

      -- Monitors that a page shows on their own: they survive the deletion of their service group.
      CREATE VIEW shared_monitor AS
      SELECT workspace_id, monitor_id FROM status_page_system WHERE monitor_id IS NOT NULL;

      -- The systems of a page that are there to be shown, and what they consist of. A system whose monitor or
      -- group was deleted is not shown; with its group it comes back.
      CREATE VIEW status_page_shown_system AS
      SELECT system.*
      FROM status_page_system system
      LEFT JOIN monitor ON monitor.id = system.monitor_id
      LEFT JOIN service_group ON service_group.id = system.service_group_id
      WHERE (monitor.id IS NOT NULL AND monitor.deleted_at IS NULL)
        OR (service_group.id IS NOT NULL AND service_group.deleted_at IS NULL);

      CREATE VIEW status_page_monitor AS
      SELECT system.page_id, system.id AS system_id, member.key AS monitor_key, member.monitoring_status,
        state.verdict, state.health_status
      FROM status_page_system system
      CROSS JOIN LATERAL (
        SELECT monitor.key, monitor.monitoring_status FROM monitor
        WHERE monitor.id = system.monitor_id AND monitor.deleted_at IS NULL
        UNION ALL
        SELECT monitor.key, monitor.monitoring_status FROM monitor
        WHERE monitor.service_group_id = system.service_group_id AND monitor.deleted_at IS NULL
      ) member
      LEFT JOIN monitor_state state ON state.monitor_key = member.key;

      -- Of an incident, what anybody may know.
      CREATE VIEW status_page_outage AS
      SELECT workspace_id, monitor_key, id, severity, started, ended FROM incident WHERE incident_type = 'Availability';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW status_page_outage, status_page_monitor, status_page_shown_system, shared_monitor;
      DROP TABLE status_page_post_update, status_page_post, status_page_system, status_page;
    `);
  }
}
