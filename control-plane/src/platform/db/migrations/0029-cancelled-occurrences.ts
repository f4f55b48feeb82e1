import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** What calendars of status pages need beside the occurrences of windows: those that were cancelled, and when one changed. */
export class CancelledOccurrences1763900000029 implements Migration {
  readonly name = 'CancelledOccurrences1763900000029';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- When its end was moved; null: never.
      ALTER TABLE maintenance_occurrence ADD COLUMN changed timestamptz(3);

      -- Occurrences that do not take place: calendar programs that have read them are to remove them.
      CREATE TABLE maintenance_cancellation (
        window_id uuid NOT NULL,
        starts timestamptz(3) NOT NULL,
        ends timestamptz(3) NOT NULL,
        cancelled timestamptz(3) NOT NULL,
        CONSTRAINT maintenance_cancellation_pkey PRIMARY KEY (window_id, starts),
        CONSTRAINT maintenance_cancellation_window_fk FOREIGN KEY (window_id) REFERENCES maintenance_window (id) ON DELETE CASCADE
      );
      CREATE INDEX maintenance_cancellation_ends_idx ON maintenance_cancellation (ends);

      CREATE VIEW status_page_calendar AS
        SELECT plan.workspace_id, page_id, plan.id AS window_id, plan.name, plan.description, plan.created, occurrence.starts,
          occurrence.ends, greatest(plan.last_modified, occurrence.changed) AS changed, false AS is_cancelled
        FROM maintenance_window plan JOIN maintenance_occurrence occurrence ON occurrence.window_id = plan.id
          CROSS JOIN unnest(plan.status_page_ids) AS page_id
        UNION ALL
        SELECT plan.workspace_id, page_id, plan.id, plan.name, plan.description, plan.created, gone.starts, gone.ends,
          gone.cancelled, true
        FROM maintenance_window plan JOIN maintenance_cancellation gone ON gone.window_id = plan.id
          CROSS JOIN unnest(plan.status_page_ids) AS page_id
        WHERE NOT EXISTS (SELECT FROM maintenance_occurrence occurrence
          WHERE occurrence.window_id = gone.window_id AND occurrence.starts = gone.starts);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
