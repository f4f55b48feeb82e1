import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A monitor that is added while its workspace changes its owner gets the new owner: the transfer, which updates the monitors
 * that it sees, and the insertion wait for each other. Monitors that have kept a former owner are corrected.
 */
export class OwnerOfNewMonitors1763900000015 implements MigrationInterface {
  readonly name = 'OwnerOfNewMonitors1763900000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION monitor_owner() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        owner uuid;
      BEGIN
        IF TG_OP = 'INSERT' THEN
          SELECT owner_id INTO owner FROM workspace WHERE id = NEW.workspace_id FOR SHARE;
        ELSE
          SELECT owner_id INTO owner FROM workspace WHERE id = NEW.workspace_id;
        END IF;
        NEW.owner_id := coalesce(owner, NEW.owner_id);
        RETURN NEW;
      END $$;
      UPDATE monitor SET revision = 0 FROM workspace
      WHERE workspace.id = monitor.workspace_id AND workspace.owner_id IS DISTINCT FROM monitor.owner_id;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
