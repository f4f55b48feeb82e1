import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ToldOutagesGoWithIncidents1763700000043 implements MigrationInterface {
  name = 'ToldOutagesGoWithIncidents1763700000043';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM status_page_told_outage told WHERE NOT EXISTS (SELECT FROM incident WHERE incident.id = told.incident_id);
      CREATE INDEX status_page_told_outage_incident_idx ON status_page_told_outage (incident_id);
      ALTER TABLE status_page_told_outage ADD CONSTRAINT status_page_told_outage_incident_fk
        FOREIGN KEY (incident_id) REFERENCES incident (id) ON DELETE CASCADE;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE status_page_told_outage DROP CONSTRAINT status_page_told_outage_incident_fk;
      DROP INDEX status_page_told_outage_incident_idx;
    `);
  }
}
