import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** A digest of the answer from which a failure follows, by which answers that look alike are recognised. */
export class Answers1763900000044 implements Migration {
  readonly name = 'Answers1763900000044';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE series ADD COLUMN answer_digest integer');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
