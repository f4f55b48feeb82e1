import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountUsage1763700000014 implements MigrationInterface {
  name = 'AccountUsage1763700000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- what an owner has of each channel, over all workspaces
      CREATE VIEW account_group_usage AS
        SELECT workspace.owner_id,
          count(*) FILTER (WHERE type = 'email') AS email_groups,
          count(*) FILTER (WHERE type = 'slack') AS slack_groups,
          count(*) FILTER (WHERE type = 'teams') AS ms_teams_groups,
          count(*) FILTER (WHERE type = 'sms') AS sms_groups,
          count(*) FILTER (WHERE type = 'webhook') AS webhook_groups
        FROM workspace JOIN action_group ON action_group.workspace_id = workspace.id
        GROUP BY workspace.owner_id;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW account_group_usage');
  }
}
