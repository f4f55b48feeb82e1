import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Keeps the newest revision of a purged monitor: agents that were away since then do not get it from a delta. */
export class PurgedRevision1763900000037 implements Migration {
  readonly name = 'PurgedRevision1763900000037';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE purged_revision (
        is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT purged_revision_only_check CHECK (is_only),
        revision bigint NOT NULL
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
