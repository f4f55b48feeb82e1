import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Versions before packed results read rows only, this view among them, and would miss the results of packed days. */
export class PackedResultsOnly1763900000023 implements Migration {
  readonly name = 'PackedResultsOnly1763900000023';
  readonly contracts = { unusedSince: 'PackedResults1763900000022' };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW incident_check');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
