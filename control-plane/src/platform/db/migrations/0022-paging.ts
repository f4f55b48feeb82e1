import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Paging1763700000022 implements MigrationInterface {
  name = 'Paging1763700000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Who is paged for a monitor: the teams that its service group is routed to.
      CREATE VIEW paged_team AS
        SELECT monitor.workspace_id, monitor.key AS monitor_key, routing.team_id, routing.name AS service_group_name
        FROM monitor JOIN routed_service_group routing
          ON routing.workspace_id = monitor.workspace_id AND routing.service_group_id = monitor.service_group_id;

      -- Who can be paged, and how they want it.
      CREATE VIEW pageable_member AS
        SELECT member.workspace_id, member.user_id, member.role, member.notification_preferences AS preferences,
          account.email, account.name
        FROM workspace_member member JOIN user_account account ON account.id = member.user_id
        WHERE member.status = 'active';

      -- How far the paging of a team for an incident has come. The row is made with the incident.
      CREATE TABLE incident_page (
        workspace_id uuid NOT NULL,
        incident_id uuid NOT NULL CONSTRAINT incident_page_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
        team_id uuid NOT NULL CONSTRAINT incident_page_team_fk REFERENCES team (id) ON DELETE CASCADE,
        monitor_key bigint NOT NULL,
        -- what is to be done next: 0 pages who is on call, 1 pages again, 2 pages the leads
        step smallint NOT NULL DEFAULT 0,
        -- when this round of paging began
        began timestamptz(3) NOT NULL,
        -- null: acknowledged, over, or everybody has been paged
        due_at timestamptz(3),
        CONSTRAINT incident_page_pkey PRIMARY KEY (incident_id, team_id)
      );
      CREATE INDEX incident_page_due_idx ON incident_page (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX incident_page_team_idx ON incident_page (team_id);

      -- The link in a page with which its reader acknowledges the incident: single-use, and for that person alone.
      CREATE TABLE page_link (
        -- SHA-256 of the token in the link
        hash bytea CONSTRAINT page_link_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        incident_id uuid NOT NULL CONSTRAINT page_link_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT page_link_user_fk REFERENCES user_account (id) ON DELETE CASCADE,
        expires timestamptz(3) NOT NULL
      );
      CREATE INDEX page_link_incident_idx ON page_link (incident_id);
      CREATE INDEX page_link_user_idx ON page_link (user_id);
      CREATE INDEX page_link_expires_idx ON page_link (expires);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE page_link, incident_page; DROP VIEW pageable_member, paged_team;');
  }
}
