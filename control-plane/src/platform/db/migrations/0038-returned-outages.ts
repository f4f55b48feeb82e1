import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Shows status pages when an outage began, or began again where its incident waits for a person to close it. */
export class ReturnedOutages1763900000038 implements Migration {
  readonly name = 'ReturnedOutages1763900000038';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW status_page_outage AS
        SELECT workspace_id, monitor_key, id, severity, started, ended,
          coalesce(worst_severity, severity) AS worst_severity,
          is_closed,
          coalesce((SELECT max(event.at) FROM incident_event event
            WHERE event.incident_id = incident.id AND event.type = 'status_changed' AND event.actor IS NULL
              AND event.detail ->> 'status' = 'Ongoing' AND event.detail -> 'flapping' IS NULL), started) AS began
        FROM incident WHERE incident_type IN ('Availability', 'Heartbeat');
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
