import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Looks up each monitor that another one depends on by its id. Joined as a whole, the plan could compare every monitor of the
 * workspace with every one that is decided: 15,000 rows for 246 monitors without any dependency.
 */
export class DependenciesByName1763900000035 implements Migration {
  readonly name = 'DependenciesByName1763900000035';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW monitor_dependency AS
      SELECT monitor.workspace_id, monitor.id AS monitor_id, monitor.key AS monitor_key, cause.id AS cause_id,
        cause.key AS cause_key, cause.name AS cause_name
      FROM monitor CROSS JOIN LATERAL unnest(monitor.depends_on) AS named (id)
        CROSS JOIN LATERAL (
          SELECT one.id, one.key, one.name FROM monitor one
          WHERE one.id = named.id AND one.workspace_id = monitor.workspace_id AND one.deleted_at IS NULL LIMIT 1
        ) AS cause;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
