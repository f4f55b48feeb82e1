import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IdempotencyLimits1763700000039 implements MigrationInterface {
  name = 'IdempotencyLimits1763700000039';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Answers of any size were kept, and nobody counted them: they are forgotten once, a day early.
      DELETE FROM idempotency_key;
      ALTER TABLE idempotency_key
        -- committed: something that the request changed is in the database; done: there is nothing left to do
        ADD COLUMN stage text NOT NULL DEFAULT 'claimed'
          CONSTRAINT idempotency_key_stage_check CHECK (stage IN ('claimed', 'committed', 'done')),
        -- what was created, where the answer is not kept
        ADD COLUMN location text;
      -- bytes of the answers that are kept for a principal
      CREATE TABLE idempotency_usage (
        principal_id uuid NOT NULL,
        bytes bigint NOT NULL,
        CONSTRAINT idempotency_usage_pkey PRIMARY KEY (principal_id),
        CONSTRAINT idempotency_usage_bytes_check CHECK (bytes >= 0)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE idempotency_usage;
      ALTER TABLE idempotency_key DROP COLUMN stage, DROP COLUMN location;
    `);
  }
}
