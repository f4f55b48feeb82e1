import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links to the evidence of incidents that people pass on themselves: `any`. */
export class SharedEvidence1763900000007 implements MigrationInterface {
  readonly name = 'SharedEvidence1763900000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE evidence_link DROP CONSTRAINT evidence_link_channel_check,
        ADD CONSTRAINT evidence_link_channel_check CHECK (channel IN ('email', 'sms', 'webhook', 'slack', 'teams', 'any'));
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
