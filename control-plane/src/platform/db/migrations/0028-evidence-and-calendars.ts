import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EvidenceAndCalendars1763700000028 implements MigrationInterface {
  name = 'EvidenceAndCalendars1763700000028';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What the page of an incident shows of the checks while it went on.
      CREATE VIEW incident_check AS
        SELECT monitor.workspace_id, check_result.monitor_key, check_result.kind, check_result.region,
          check_result.scheduled_at, check_result.fresh_s, check_result.outcome
        FROM check_result JOIN monitor ON monitor.key = check_result.monitor_key;

      -- The links by which calendar programs, which send no token, read the calendar of a team: each belongs to a
      -- member of the workspace, and ends with the membership or the team.
      CREATE TABLE on_call_calendar_link (
        id uuid CONSTRAINT on_call_calendar_link_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        team_id uuid NOT NULL CONSTRAINT on_call_calendar_link_team_fk REFERENCES team (id) ON DELETE CASCADE,
        user_id uuid NOT NULL,
        -- SHA-256 of the token in the link
        hash bytea NOT NULL,
        name text NOT NULL,
        created timestamptz(3) NOT NULL,
        -- to the hour: whether somebody still reads it
        last_read timestamptz(3),
        CONSTRAINT on_call_calendar_link_member_fk FOREIGN KEY (workspace_id, user_id)
          REFERENCES workspace_member (workspace_id, user_id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX on_call_calendar_link_hash_key ON on_call_calendar_link (hash);
      CREATE INDEX on_call_calendar_link_team_idx ON on_call_calendar_link (team_id, created DESC, id DESC);
      CREATE INDEX on_call_calendar_link_member_idx ON on_call_calendar_link (workspace_id, user_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE on_call_calendar_link; DROP VIEW incident_check;');
  }
}
