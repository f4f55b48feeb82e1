import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The lowest schema version of a process that can work on the database. A migration that contracts raises it before it runs. */
export class SchemaVersion1763900000016 implements Migration {
  readonly name = 'SchemaVersion1763900000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE schema_version (
        is_only boolean NOT NULL DEFAULT true,
        readable_from integer NOT NULL,
        CONSTRAINT schema_version_pkey PRIMARY KEY (is_only),
        CONSTRAINT schema_version_only_check CHECK (is_only)
      );
      INSERT INTO schema_version (readable_from) VALUES (1);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
