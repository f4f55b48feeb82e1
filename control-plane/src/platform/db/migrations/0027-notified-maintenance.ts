import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The maintenance of which the subscribers of status pages were notified, so that they hear of each change once. */
export class NotifiedMaintenance1763900000027 implements Migration {
  readonly name = 'NotifiedMaintenance1763900000027';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE status_page_notified_maintenance (
        page_id uuid NOT NULL,
        window_id uuid NOT NULL,
        starts timestamptz(3) NOT NULL,
        -- As the subscribers know it.
        ends timestamptz(3) NOT NULL,
        name text NOT NULL,
        -- They were notified of its end. The row stays for some days: another process may see the end later.
        is_over boolean NOT NULL DEFAULT false,
        CONSTRAINT status_page_notified_maintenance_pkey PRIMARY KEY (page_id, window_id, starts),
        CONSTRAINT status_page_notified_maintenance_page_fk FOREIGN KEY (page_id) REFERENCES status_page (id) ON DELETE CASCADE,
        CONSTRAINT status_page_notified_maintenance_window_fk FOREIGN KEY (window_id)
          REFERENCES maintenance_window (id) ON DELETE CASCADE
      );
      CREATE INDEX status_page_notified_maintenance_open_idx ON status_page_notified_maintenance (page_id) WHERE NOT is_over;
      CREATE INDEX status_page_notified_maintenance_ends_idx ON status_page_notified_maintenance (ends);
      CREATE INDEX status_page_notified_maintenance_window_idx ON status_page_notified_maintenance (window_id);

      CREATE OR REPLACE VIEW status_page_announcement AS
        SELECT plan.workspace_id, page_id, plan.id AS window_id, plan.name, plan.description, occurrence.starts,
          occurrence.ends, ARRAY(
            SELECT DISTINCT shown.system_id FROM status_page_monitor shown
              JOIN maintenance_subject subject ON subject.monitor_key = shown.monitor_key
            WHERE shown.page_id = page.page_id AND subject.workspace_id = plan.workspace_id AND (plan.covers_all
              OR subject.monitor_id = ANY (plan.monitor_ids) OR subject.service_group_id = ANY (plan.service_group_ids)
              OR subject.tags && plan.tags)
            ORDER BY 1) AS system_ids,
          plan.notify_subscribers, plan.recurrence IS NOT NULL AS recurs, occurrence.stage
        FROM maintenance_window plan JOIN maintenance_occurrence occurrence ON occurrence.window_id = plan.id
          CROSS JOIN unnest(plan.status_page_ids) AS page (page_id)
        WHERE plan.deleted_at IS NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
