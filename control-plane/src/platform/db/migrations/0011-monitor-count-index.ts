import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counting the monitors of a workspace, by status and regions or without those that somebody would hear of, reads this index
 * alone: rows of monitors are wide, and seldom change.
 */
export class MonitorCountIndex1763900000011 implements MigrationInterface {
  readonly name = 'MonitorCountIndex1763900000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX monitor_count_idx ON monitor (workspace_id, monitoring_status, enabled_regions)
        INCLUDE (key, service_group_id) WHERE deleted_at IS NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
