import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * The registry of the program has the channels. No constraint lists them again, and a view counts the groups of each,
 * whichever there are. `account_group_usage` stays for processes of the version before.
 */
export class ChannelsWithoutLists1763900000042 implements Migration {
  readonly name = 'ChannelsWithoutLists1763900000042';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE action_group DROP CONSTRAINT action_group_type_check;
      ALTER TABLE evidence_link DROP CONSTRAINT evidence_link_channel_check;
      ALTER TABLE delivery DROP CONSTRAINT delivery_channel_check;
      CREATE VIEW account_channel_usage AS
        SELECT workspace.owner_id, action_group.type AS channel, count(*) AS used
        FROM workspace JOIN action_group ON action_group.workspace_id = workspace.id
        GROUP BY workspace.owner_id, action_group.type;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
