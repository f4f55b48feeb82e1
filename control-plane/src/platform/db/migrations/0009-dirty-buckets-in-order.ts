import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The order in which dirty buckets are taken: by start, hours and days apart. */
export class DirtyBucketsInOrder1763900000009 implements MigrationInterface {
  readonly name = 'DirtyBucketsInOrder1763900000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX dirty_bucket_order_idx ON dirty_bucket (is_day, starts_at, monitor_key)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
