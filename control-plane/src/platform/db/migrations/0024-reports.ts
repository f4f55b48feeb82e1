import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Reports1763700000024 implements MigrationInterface {
  name = 'Reports1763700000024';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Reports that were handed to delivery: each period of a workspace once, whatever restarts in between.
      CREATE TABLE report_sent (
        workspace_id uuid NOT NULL CONSTRAINT report_sent_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        kind text NOT NULL,
        -- the first day of the period, in the workspace's zone
        starts date NOT NULL,
        sent timestamptz(3) NOT NULL,
        CONSTRAINT report_sent_pkey PRIMARY KEY (workspace_id, kind, starts),
        CONSTRAINT report_sent_kind_check CHECK (kind IN ('daily', 'weekly', 'monthly'))
      );

      -- Of an incident, what a report says.
      CREATE VIEW report_incident AS
      SELECT workspace_id, monitor_id, id, incident_type, severity, regions, started, ended, failure_reason FROM incident;

      -- Monitors with a report that goes out by itself.
      CREATE VIEW reported_monitor AS
      SELECT workspace_id, key, id, name,
        (reporting->>'dailyReport')::boolean AS daily,
        (reporting->>'weeklyReport')::boolean AS weekly,
        (reporting->>'monthlyReport')::boolean AS monthly
      FROM monitor WHERE deleted_at IS NULL AND monitoring_status <> 'disabled'
        AND reporting @? '$.* ? (@ == true)';
      CREATE INDEX monitor_reporting_idx ON monitor (workspace_id)
        WHERE deleted_at IS NULL AND reporting @? '$.* ? (@ == true)';

      -- Who reads the reports of a monitor: the addresses in its email groups.
      CREATE VIEW report_reader AS
      SELECT g.workspace_id, attached.monitor_key, address.email
      FROM action_group g JOIN action_group_monitor attached ON attached.group_id = g.id
      CROSS JOIN LATERAL jsonb_array_elements_text(g.settings->'recipients') AS address (email)
      WHERE g.type = 'email' AND g.is_enabled;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX monitor_reporting_idx;
      DROP VIEW report_reader, reported_monitor, report_incident;
      DROP TABLE report_sent;
    `);
  }
}
