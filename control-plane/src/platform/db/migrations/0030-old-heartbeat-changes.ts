import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';
import { createIndexConcurrently } from '../migration-steps.js';

/** An index of the changes of heartbeats by time, small as they are written in that order, for the purge of old ones. */
export class OldHeartbeatChanges1763900000030 implements Migration {
  readonly name = 'OldHeartbeatChanges1763900000030';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, { name: 'heartbeat_change_at_idx', on: 'heartbeat_change USING brin (at)' });
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
