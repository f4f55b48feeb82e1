import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditActions1763700000059 implements MigrationInterface {
  name = 'AuditActions1763700000059';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_entry_action_idx ON audit_entry (workspace_id, action, at DESC, id DESC)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_entry_action_idx');
  }
}
