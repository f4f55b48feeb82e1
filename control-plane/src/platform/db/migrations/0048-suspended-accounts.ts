import type { MigrationInterface, QueryRunner } from 'typeorm';

const trigger = (condition: string) => `
  DROP TRIGGER user_account_monitors ON user_account;
  CREATE TRIGGER user_account_monitors AFTER UPDATE ON user_account FOR EACH ROW
    WHEN (OLD.plan IS DISTINCT FROM NEW.plan OR OLD.plan_limits IS DISTINCT FROM NEW.plan_limits${condition})
    EXECUTE FUNCTION monitor_touch_of_owner();`;

export class SuspendedAccounts1763700000048 implements MigrationInterface {
  name = 'SuspendedAccounts1763700000048';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Set by the operator: nothing of the account runs, and nothing of it is lost.
      ALTER TABLE user_account ADD suspended_at timestamptz(3);
      CREATE INDEX user_account_suspended_idx ON user_account (id) WHERE suspended_at IS NOT NULL;

      -- Workspaces whose owner is suspended.
      CREATE VIEW suspended_workspace AS
        SELECT workspace.id AS workspace_id, owner.id AS owner_id, owner.suspended_at
        FROM workspace JOIN user_account owner ON owner.id = workspace.owner_id
        WHERE owner.suspended_at IS NOT NULL;

      -- Agents hear of it as they hear of another plan.
      ${trigger(' OR OLD.suspended_at IS DISTINCT FROM NEW.suspended_at')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${trigger('')}
      DROP VIEW suspended_workspace;
      DROP INDEX user_account_suspended_idx;
      ALTER TABLE user_account DROP suspended_at;
    `);
  }
}
