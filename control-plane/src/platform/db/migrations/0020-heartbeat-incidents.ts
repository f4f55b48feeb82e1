import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Validates the types of incidents, which the former migration changed without reading the table. */
export class HeartbeatIncidents1763900000020 implements Migration {
  readonly name = 'HeartbeatIncidents1763900000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE incident VALIDATE CONSTRAINT incident_type_check');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
