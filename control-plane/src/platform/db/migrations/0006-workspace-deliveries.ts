import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The deliveries of a workspace: their list, those of a monitor, and those that failed lately. */
export class WorkspaceDeliveries1763900000006 implements MigrationInterface {
  readonly name = 'WorkspaceDeliveries1763900000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX delivery_workspace_idx ON delivery (workspace_id, seq DESC);
      CREATE INDEX delivery_failed_idx ON delivery (workspace_id, finished_at) WHERE state = 'failed';
      CREATE INDEX alert_event_monitor_idx ON alert_event (monitor_key) WHERE monitor_key IS NOT NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
