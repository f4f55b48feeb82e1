import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';
import { createIndexConcurrently } from '../migration-steps.js';

/** An index of the monitors that windows cover in a workspace now, which the overview counts. */
export class PeriodsOfWorkspaces1763900000025 implements Migration {
  readonly name = 'PeriodsOfWorkspaces1763900000025';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'maintenance_period_workspace_idx',
      on: 'maintenance_period (workspace_id, ends)',
    });
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
