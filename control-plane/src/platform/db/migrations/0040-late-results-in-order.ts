import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';
import { createIndexConcurrently } from '../migration-steps.js';

/** An index of late results in the order in which the packer takes them: it read all that wait for every four of them. */
export class LateResultsInOrder1763900000040 implements Migration {
  readonly name = 'LateResultsInOrder1763900000040';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, { name: 'late_result_day_idx', on: 'late_result (day, monitor_key)' });
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
