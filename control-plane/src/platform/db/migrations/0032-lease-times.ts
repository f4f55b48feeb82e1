import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** When the present stream of each agent began. */
export class LeaseTimes1763900000032 implements Migration {
  readonly name = 'LeaseTimes1763900000032';

  async up(runner: QueryRunner): Promise<void> {
    // Null until the agent connects to a process that stores it.
    await runner.query('ALTER TABLE fleet_lease ADD COLUMN taken_at timestamptz(3)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
