import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SpentTrials1763700000015 implements MigrationInterface {
  name = 'SpentTrials1763700000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Outlives the account: else whoever deletes it and signs in again would have another trial, for ever.
      CREATE TABLE spent_trial (
        -- SHA-256 of issuer and subject: it tells who comes back, and of nobody who that was
        principal bytea CONSTRAINT spent_trial_pkey PRIMARY KEY,
        spent timestamptz(3) NOT NULL
      );
      INSERT INTO spent_trial (principal, spent)
      SELECT sha256(convert_to(json_build_array(issuer, subject)::text, 'UTF8')), trial_started
      FROM user_account WHERE trial_started IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE spent_trial');
  }
}
