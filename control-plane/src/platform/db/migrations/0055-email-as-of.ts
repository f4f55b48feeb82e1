import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EmailAsOf1763700000055 implements MigrationInterface {
  name = 'EmailAsOf1763700000055';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- When the OpenID provider said that this is the email: an older statement does not replace it. Null: unknown.
      ALTER TABLE user_account ADD email_as_of timestamptz(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_account DROP email_as_of');
  }
}
