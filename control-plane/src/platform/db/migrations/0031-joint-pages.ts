import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Links that acknowledge all incidents of one message. */
export class JointPages1763900000031 implements Migration {
  readonly name = 'JointPages1763900000031';

  async up(runner: QueryRunner): Promise<void> {
    // Null: the link is for incident_id alone. The former version acknowledges the first one by a joint link.
    await runner.query('ALTER TABLE acknowledge_link ADD COLUMN incident_ids uuid[]');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
