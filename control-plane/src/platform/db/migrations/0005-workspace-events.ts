import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = `
  -- What changed, for the event streams of clients: rows are added by the transaction of the change and kept for minutes.
  CREATE TABLE workspace_event (
    -- Ascending for each object, because a transaction that changes an object has locked it.
    seq bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT workspace_event_pkey PRIMARY KEY,
    -- All zeros: every workspace. No foreign key, so that an event locks nothing.
    workspace_id uuid NOT NULL,
    kind text NOT NULL,
    -- A UUID, or the name of a region for fleet.
    object_id text NOT NULL,
    -- Readers find by it what committed after their last snapshot: seq is given out before the commit.
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT workspace_event_kind_check CHECK (kind IN ('monitor', 'incident', 'maintenance', 'fleet', 'delivery'))
  );
  CREATE INDEX workspace_event_workspace_idx ON workspace_event (workspace_id, xid);

  -- Event streams that are open in any process, for the limit of each user or API key. A lease that is not renewed lapses.
  CREATE TABLE event_stream_lease (
    id uuid CONSTRAINT event_stream_lease_pkey PRIMARY KEY,
    principal_id uuid NOT NULL,
    until timestamptz(3) NOT NULL
  );
  CREATE INDEX event_stream_lease_principal_idx ON event_stream_lease (principal_id);

  -- The commit of a notification takes a lock of the whole cluster, and one notification wakes readers for all changes of
  -- that moment. Of the transactions that run at once, therefore only the holder of the advisory lock notifies; readers
  -- read again shortly after, for those that committed meanwhile.
  CREATE FUNCTION workspace_event_add(workspace uuid, kind text, object text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO workspace_event (workspace_id, kind, object_id) VALUES (workspace, kind, object);
    IF pg_try_advisory_xact_lock(hashtextextended('watchpost.workspace_event', 0)) THEN
      PERFORM pg_notify('watchpost_workspace_event', '');
    END IF;
  END $$;

  CREATE FUNCTION monitor_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM workspace_event_add(NEW.workspace_id, 'monitor', NEW.id::text);
    RETURN NULL;
  END $$;
  CREATE TRIGGER monitor_event AFTER INSERT OR UPDATE ON monitor FOR EACH ROW EXECUTE FUNCTION monitor_event();

  CREATE FUNCTION monitor_state_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM workspace_event_add(NEW.workspace_id, 'monitor', monitor.id::text) FROM monitor WHERE key = NEW.monitor_key;
    RETURN NULL;
  END $$;
  CREATE TRIGGER monitor_state_event AFTER UPDATE ON monitor_state FOR EACH ROW
    WHEN (OLD.verdict <> NEW.verdict OR OLD.health_status IS DISTINCT FROM NEW.health_status
      OR OLD.verdict_since <> NEW.verdict_since)
    EXECUTE FUNCTION monitor_state_event();

  CREATE FUNCTION incident_changed_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM workspace_event_add(NEW.workspace_id, 'incident', NEW.id::text);
    RETURN NULL;
  END $$;
  CREATE TRIGGER incident_changed_event AFTER INSERT OR UPDATE ON incident FOR EACH ROW
    EXECUTE FUNCTION incident_changed_event();

  -- An entry of the timeline, or a note.
  CREATE FUNCTION incident_entry_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      PERFORM workspace_event_add(OLD.workspace_id, 'incident', OLD.incident_id::text);
    ELSE
      PERFORM workspace_event_add(NEW.workspace_id, 'incident', NEW.incident_id::text);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER incident_event_event AFTER INSERT ON incident_event FOR EACH ROW EXECUTE FUNCTION incident_entry_event();
  CREATE TRIGGER incident_note_event AFTER INSERT OR UPDATE OR DELETE ON incident_note FOR EACH ROW
    EXECUTE FUNCTION incident_entry_event();

  CREATE FUNCTION delivery_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM workspace_event_add(NEW.workspace_id, 'delivery', NEW.id::text);
    RETURN NULL;
  END $$;
  CREATE TRIGGER delivery_added_event AFTER INSERT ON delivery FOR EACH ROW
    WHEN (NEW.state <> 'waiting') EXECUTE FUNCTION delivery_event();
  CREATE TRIGGER delivery_finished_event AFTER UPDATE ON delivery FOR EACH ROW
    WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION delivery_event();

  CREATE FUNCTION fleet_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM workspace_event_add('00000000-0000-0000-0000-000000000000', 'fleet', NEW.region);
    RETURN NULL;
  END $$;
  CREATE TRIGGER fleet_region_event AFTER UPDATE ON fleet_region FOR EACH ROW
    WHEN (OLD.members IS DISTINCT FROM NEW.members) EXECUTE FUNCTION fleet_event();
  CREATE TRIGGER fleet_lease_event AFTER UPDATE ON fleet_lease FOR EACH ROW
    WHEN (OLD.connected <> NEW.connected) EXECUTE FUNCTION fleet_event();
  CREATE TRIGGER fleet_lease_added_event AFTER INSERT ON fleet_lease FOR EACH ROW EXECUTE FUNCTION fleet_event();
  CREATE TRIGGER agent_event AFTER UPDATE ON agent FOR EACH ROW
    WHEN (OLD.status <> NEW.status OR OLD.visibility <> NEW.visibility) EXECUTE FUNCTION fleet_event();
  -- A region becomes suspect, or trusted again.
  CREATE TRIGGER operator_notice_event AFTER INSERT ON operator_notice FOR EACH ROW
    WHEN (NEW.region IS NOT NULL) EXECUTE FUNCTION fleet_event();
`;

/** Events for the streams of clients, written by triggers, so that no writer can leave one out. */
export class WorkspaceEvents1763900000005 implements MigrationInterface {
  name = 'WorkspaceEvents1763900000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
