import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** What is known of a name beside its last answer: values that were seen lately, and records of types that fail. */
export class SeenValues1763900000043 implements Migration {
  readonly name = 'SeenValues1763900000043';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE last_answer ADD COLUMN seen jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
