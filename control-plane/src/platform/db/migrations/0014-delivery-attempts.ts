import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last attempts of each delivery, oldest first. Earlier deliveries have none. */
export class DeliveryAttempts1763900000014 implements MigrationInterface {
  readonly name = 'DeliveryAttempts1763900000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE delivery ADD COLUMN attempt_log jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
