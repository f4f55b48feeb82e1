import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events of members, invitations and API keys. That a member or a key was used is none. */
export class WorkspacePeopleEvents1763900000013 implements MigrationInterface {
  readonly name = 'WorkspacePeopleEvents1763900000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspace_event DROP CONSTRAINT workspace_event_kind_check,
        ADD CONSTRAINT workspace_event_kind_check CHECK (kind IN ('monitor', 'incident', 'maintenance', 'fleet', 'delivery',
          'member', 'invitation', 'apiKey'));

      -- The argument is the kind.
      CREATE FUNCTION workspace_object_event() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changed jsonb := to_jsonb(coalesce(NEW, OLD));
      BEGIN
        PERFORM workspace_event_add((changed ->> 'workspace_id')::uuid, TG_ARGV[0], changed ->> 'id');
        RETURN NULL;
      END $$;
      CREATE TRIGGER workspace_member_event AFTER INSERT OR DELETE ON workspace_member FOR EACH ROW
        EXECUTE FUNCTION workspace_object_event('member');
      CREATE TRIGGER workspace_member_changed_event AFTER UPDATE ON workspace_member FOR EACH ROW
        WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status
          OR OLD.notification_preferences <> NEW.notification_preferences)
        EXECUTE FUNCTION workspace_object_event('member');
      CREATE TRIGGER invitation_event AFTER INSERT OR UPDATE OR DELETE ON invitation FOR EACH ROW
        EXECUTE FUNCTION workspace_object_event('invitation');
      CREATE TRIGGER api_key_event AFTER INSERT OR DELETE ON api_key FOR EACH ROW
        EXECUTE FUNCTION workspace_object_event('apiKey');
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
