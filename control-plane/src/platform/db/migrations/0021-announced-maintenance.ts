import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** What status pages show of maintenance windows that name them. */
export class AnnouncedMaintenance1763900000021 implements Migration {
  readonly name = 'AnnouncedMaintenance1763900000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW status_page_maintenance AS
        SELECT period.workspace_id, page_id, period.monitor_key, period.starts, period.ends
        FROM maintenance_period period JOIN maintenance_window plan ON plan.id = period.window_id
          CROSS JOIN unnest(plan.status_page_ids) AS page_id;
      CREATE VIEW status_page_announcement AS
        SELECT plan.workspace_id, page_id, plan.id AS window_id, plan.name, plan.description, occurrence.starts,
          occurrence.ends, ARRAY(
            SELECT DISTINCT shown.system_id FROM status_page_monitor shown
              JOIN maintenance_subject subject ON subject.monitor_key = shown.monitor_key
            WHERE shown.page_id = page.page_id AND subject.workspace_id = plan.workspace_id AND (plan.covers_all
              OR subject.monitor_id = ANY (plan.monitor_ids) OR subject.service_group_id = ANY (plan.service_group_ids)
              OR subject.tags && plan.tags)
            ORDER BY 1) AS system_ids
        FROM maintenance_window plan JOIN maintenance_occurrence occurrence ON occurrence.window_id = plan.id
          CROSS JOIN unnest(plan.status_page_ids) AS page (page_id)
        WHERE plan.deleted_at IS NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
