import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Http1763700000006 implements MigrationInterface {
  name = 'Http1763700000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_key (
        principal_id uuid NOT NULL,
        -- the nil UUID for routes without a workspace
        workspace_id uuid NOT NULL,
        operation text NOT NULL,
        key text NOT NULL,
        fingerprint bytea NOT NULL,
        -- who is at work on it: only they may write the answer
        owner uuid NOT NULL,
        locked_until timestamptz(3) NOT NULL,
        expires timestamptz(3) NOT NULL,
        -- encrypted; null while the first request is still running
        answer bytea,
        CONSTRAINT idempotency_key_pkey PRIMARY KEY (principal_id, workspace_id, operation, key)
      );
      CREATE INDEX idempotency_key_expires_idx ON idempotency_key (expires);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_key');
  }
}
