import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Tokens of push addresses that heartbeats had in another product. */
export class ImportedPingTokens1763900000026 implements Migration {
  readonly name = 'ImportedPingTokens1763900000026';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE imported_ping_token (
        monitor_id uuid NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT imported_ping_token_pkey PRIMARY KEY (monitor_id),
        CONSTRAINT imported_ping_token_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitor (id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX imported_ping_token_hash_key ON imported_ping_token (hash);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
