import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';
import { createIndexConcurrently } from '../migration-steps.js';

/** An index of the few monitors whose checks a maintenance window holds, which are looked for every few seconds. */
export class HeldMonitors1763900000018 implements Migration {
  readonly name = 'HeldMonitors1763900000018';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, { name: 'monitor_held_idx', on: 'monitor (key) WHERE checks_held' });
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
