import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Names heartbeats among what windows cover: agents do not check them, so no window pauses them. */
export class UnheldHeartbeats1763900000036 implements Migration {
  readonly name = 'UnheldHeartbeats1763900000036';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW maintenance_subject AS
      SELECT workspace_id, key AS monitor_key, id AS monitor_id, service_group_id, tags, checks_held,
        heartbeat IS NOT NULL AS is_heartbeat
      FROM monitor WHERE deleted_at IS NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
