import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** What monitors depend on. */
export class Dependencies1763900000028 implements Migration {
  readonly name = 'Dependencies1763900000028';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE monitor ADD COLUMN depends_on uuid[] NOT NULL DEFAULT '{}';

      -- One row for each monitor that another one depends on. Deleted ones are in depends_on, as they may be restored, and not here.
      CREATE VIEW monitor_dependency AS
      SELECT monitor.workspace_id, monitor.id AS monitor_id, monitor.key AS monitor_key, cause.id AS cause_id,
        cause.key AS cause_key, cause.name AS cause_name
      FROM monitor CROSS JOIN LATERAL unnest(monitor.depends_on) AS named (id)
        JOIN monitor cause ON cause.id = named.id AND cause.workspace_id = monitor.workspace_id AND cause.deleted_at IS NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
