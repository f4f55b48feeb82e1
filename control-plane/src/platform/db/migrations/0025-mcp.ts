import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Mcp1763700000025 implements MigrationInterface {
  name = 'Mcp1763700000025';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- MCP sessions live in their own id; only that one was ended before its time is kept, until it would have expired.
      CREATE TABLE mcp_ended_session (
        id uuid PRIMARY KEY,
        expires timestamptz NOT NULL
      );
      CREATE INDEX mcp_ended_session_expires ON mcp_ended_session (expires DESC, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mcp_ended_session');
  }
}
