import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OnCall1763700000010 implements MigrationInterface {
  name = 'OnCall1763700000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Its row is what is locked while members, schedule, overrides and routing change.
      CREATE TABLE team (
        id uuid CONSTRAINT team_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL CONSTRAINT team_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        name text NOT NULL,
        description text,
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL
      );
      CREATE INDEX team_workspace_idx ON team (workspace_id, created DESC, id DESC);

      -- Whoever leaves the workspace leaves its teams, rotations and overrides in the same moment.
      CREATE TABLE team_member (
        team_id uuid NOT NULL CONSTRAINT team_member_team_fk REFERENCES team (id) ON DELETE CASCADE,
        user_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        team_role text NOT NULL,
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT team_member_pkey PRIMARY KEY (team_id, user_id),
        CONSTRAINT team_member_workspace_member_fk FOREIGN KEY (workspace_id, user_id)
          REFERENCES workspace_member (workspace_id, user_id) ON DELETE CASCADE,
        CONSTRAINT team_member_role_check CHECK (team_role IN ('lead', 'member'))
      );
      CREATE INDEX team_member_workspace_member_idx ON team_member (workspace_id, user_id);

      CREATE TABLE on_call_schedule (
        team_id uuid CONSTRAINT on_call_schedule_pkey PRIMARY KEY
          CONSTRAINT on_call_schedule_team_fk REFERENCES team (id) ON DELETE CASCADE,
        workspace_id uuid NOT NULL,
        rotation text NOT NULL,
        timezone text NOT NULL,
        -- HH:MM on the clocks of the zone
        handoff_time text NOT NULL,
        handoff_day text,
        start_date date NOT NULL,
        -- how many turns a round has, also where a participant has left
        turns int NOT NULL,
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT on_call_schedule_rotation_check CHECK (rotation IN ('daily', 'weekly')),
        CONSTRAINT on_call_schedule_day_check CHECK ((rotation = 'weekly') = (handoff_day IS NOT NULL)
          AND handoff_day IN ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'))
      );

      CREATE TABLE on_call_participant (
        team_id uuid NOT NULL CONSTRAINT on_call_participant_schedule_fk
          REFERENCES on_call_schedule (team_id) ON DELETE CASCADE,
        -- from 0; the turn of a participant who left stays vacant, so that nobody else's turn moves
        turn int NOT NULL,
        user_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        CONSTRAINT on_call_participant_pkey PRIMARY KEY (team_id, turn),
        CONSTRAINT on_call_participant_member_fk FOREIGN KEY (team_id, user_id)
          REFERENCES team_member (team_id, user_id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX on_call_participant_user_key ON on_call_participant (team_id, user_id);

      CREATE TABLE on_call_override (
        id uuid CONSTRAINT on_call_override_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        team_id uuid NOT NULL,
        user_id uuid NOT NULL,
        starts timestamptz(3) NOT NULL,
        ends timestamptz(3) NOT NULL,
        reason text,
        -- which of two is the later, also where they were made in the same millisecond
        seq bigint GENERATED ALWAYS AS IDENTITY,
        created timestamptz(3) NOT NULL,
        CONSTRAINT on_call_override_member_fk FOREIGN KEY (team_id, user_id)
          REFERENCES team_member (team_id, user_id) ON DELETE CASCADE,
        CONSTRAINT on_call_override_span_check CHECK (starts < ends)
      );
      CREATE INDEX on_call_override_team_idx ON on_call_override (team_id, user_id);

      -- Which teams the incidents of a service group page.
      CREATE TABLE team_service_group (
        team_id uuid NOT NULL CONSTRAINT team_service_group_team_fk REFERENCES team (id) ON DELETE CASCADE,
        service_group_id uuid NOT NULL
          CONSTRAINT team_service_group_group_fk REFERENCES service_group (id) ON DELETE CASCADE,
        workspace_id uuid NOT NULL,
        created timestamptz(3) NOT NULL,
        CONSTRAINT team_service_group_pkey PRIMARY KEY (team_id, service_group_id)
      );
      CREATE INDEX team_service_group_group_idx ON team_service_group (service_group_id);

      -- Routing that is in force: a deleted group's comes back when the group is restored.
      CREATE VIEW routed_service_group AS
        SELECT routing.workspace_id, routing.team_id, routing.service_group_id, routing.created, service_group.name
        FROM team_service_group routing
        JOIN service_group ON service_group.id = routing.service_group_id AND service_group.deleted_at IS NULL;

      -- What a service group shows of it.
      CREATE VIEW service_group_routing AS
        SELECT service_group_id, array_agg(team_id ORDER BY created, team_id) AS team_ids
        FROM team_service_group GROUP BY service_group_id;

      CREATE OR REPLACE VIEW account_usage AS
        SELECT owner.owner_id, monitors.used AS monitors, monitors.extra_regions, teams.used AS teams
        FROM (SELECT DISTINCT owner_id FROM workspace) owner
        CROSS JOIN LATERAL (
          SELECT count(*) AS used, max(cardinality(monitor.enabled_regions)) AS extra_regions
          FROM workspace JOIN monitor ON monitor.workspace_id = workspace.id AND monitor.deleted_at IS NULL
          WHERE workspace.owner_id = owner.owner_id
        ) monitors
        CROSS JOIN LATERAL (
          SELECT count(*) AS used FROM workspace JOIN team ON team.workspace_id = workspace.id
          WHERE workspace.owner_id = owner.owner_id
        ) teams;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW account_usage, service_group_routing, routed_service_group;
      CREATE VIEW account_usage AS
        SELECT workspace.owner_id, count(*) AS monitors, max(cardinality(monitor.enabled_regions)) AS extra_regions
        FROM workspace JOIN monitor ON monitor.workspace_id = workspace.id AND monitor.deleted_at IS NULL
        GROUP BY workspace.owner_id;
      DROP TABLE team_service_group, on_call_override, on_call_participant, on_call_schedule, team_member, team;
    `);
  }
}
