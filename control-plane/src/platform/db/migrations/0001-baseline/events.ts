export const eventsTables = `
  -- What changed, for the event streams of clients: rows are added by the transaction of the change and kept for minutes.
  CREATE TABLE workspace_event (
    -- Ascending for each object, because a transaction that changes an object has locked it.
    seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    -- All zeros: every workspace. No foreign key, so that an event locks nothing.
    workspace_id uuid NOT NULL,
    kind text NOT NULL,
    -- A UUID; for fleet the name of a region, or the id of a private location.
    object_id text NOT NULL,
    -- Readers find by it what committed after their last snapshot: seq is given out before the commit.
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    at timestamptz(3) DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT workspace_event_pkey PRIMARY KEY (seq),
    CONSTRAINT workspace_event_kind_check CHECK (kind IN ('monitor', 'incident', 'maintenance', 'fleet', 'delivery', 'member', 'invitation', 'apiKey'))
  );
  CREATE INDEX workspace_event_workspace_idx ON workspace_event (workspace_id, xid);

  -- Event streams that are open in any process, for the limit of each user or API key. A lease that is not renewed lapses.
  CREATE TABLE event_stream_lease (
    id uuid CONSTRAINT event_stream_lease_pkey PRIMARY KEY,
    principal_id uuid NOT NULL,
    until timestamptz(3) NOT NULL
  );
  CREATE INDEX event_stream_lease_principal_idx ON event_stream_lease (principal_id);
`;

export const eventsTriggers = `
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
    INSERT INTO workspace_event (workspace_id, kind, object_id) SELECT workspace_id, 'monitor', id::text FROM after;
    IF FOUND THEN PERFORM workspace_event_notify(); END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER monitor_event AFTER UPDATE ON monitor REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION monitor_event();
  CREATE TRIGGER monitor_added_event AFTER INSERT ON monitor REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION monitor_event();

  -- EXCEPT takes a time proportional to the rows. The plan of a join is kept, and may be that of few rows.
  CREATE FUNCTION monitor_state_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO workspace_event (workspace_id, kind, object_id)
    SELECT changed.workspace_id, 'monitor', monitor.id::text
    FROM (SELECT monitor_key, workspace_id, verdict, health_status, verdict_since FROM after
          EXCEPT SELECT monitor_key, workspace_id, verdict, health_status, verdict_since FROM before) AS changed
      CROSS JOIN LATERAL (SELECT id FROM monitor WHERE key = changed.monitor_key LIMIT 1) AS monitor;
    IF FOUND THEN PERFORM workspace_event_notify(); END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER monitor_state_event AFTER UPDATE ON monitor_state
    REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION monitor_state_event();

  CREATE FUNCTION incident_changed_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO workspace_event (workspace_id, kind, object_id) SELECT workspace_id, 'incident', id::text FROM after;
    IF FOUND THEN PERFORM workspace_event_notify(); END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER incident_changed_event AFTER UPDATE ON incident REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION incident_changed_event();
  CREATE TRIGGER incident_added_event AFTER INSERT ON incident REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION incident_changed_event();

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
  CREATE TRIGGER incident_note_event AFTER INSERT OR UPDATE OR DELETE ON incident_note FOR EACH ROW
    EXECUTE FUNCTION incident_entry_event();

  CREATE FUNCTION delivery_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO workspace_event (workspace_id, kind, object_id)
      SELECT workspace_id, 'delivery', id::text FROM after WHERE state <> 'waiting';
    ELSE
      INSERT INTO workspace_event (workspace_id, kind, object_id)
      SELECT workspace_id, 'delivery', id::text
      FROM (SELECT workspace_id, id, state FROM after EXCEPT SELECT workspace_id, id, state FROM before) AS changed;
    END IF;
    IF FOUND THEN PERFORM workspace_event_notify(); END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER delivery_added_event AFTER INSERT ON delivery REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION delivery_event();
  CREATE TRIGGER delivery_finished_event AFTER UPDATE ON delivery
    REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION delivery_event();

  CREATE FUNCTION fleet_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- A private location is of its workspace alone; every workspace sees the regions.
    PERFORM workspace_event_add(coalesce((SELECT workspace_id FROM private_location WHERE id::text = NEW.region),
      '00000000-0000-0000-0000-000000000000'), 'fleet', NEW.region);
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
  CREATE TRIGGER maintenance_window_event AFTER INSERT OR UPDATE ON maintenance_window FOR EACH ROW
    EXECUTE FUNCTION workspace_object_event('maintenance');

  -- It began or ended.
  CREATE FUNCTION maintenance_stage_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM workspace_event_add(workspace_id, 'maintenance', id::text) FROM maintenance_window WHERE id = NEW.window_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER maintenance_stage_event AFTER UPDATE ON maintenance_occurrence FOR EACH ROW
    WHEN (OLD.stage <> NEW.stage AND NEW.stage IN ('running', 'over')) EXECUTE FUNCTION maintenance_stage_event();

  -- Only the holder of the advisory lock notifies, as in workspace_event_add.
  CREATE FUNCTION workspace_event_notify() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF pg_try_advisory_xact_lock(hashtextextended('watchpost.workspace_event', 0)) THEN
      PERFORM pg_notify('watchpost_workspace_event', '');
    END IF;
  END $$;

  CREATE FUNCTION incident_entries_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO workspace_event (workspace_id, kind, object_id)
    SELECT DISTINCT workspace_id, 'incident', incident_id::text FROM after;
    IF FOUND THEN PERFORM workspace_event_notify(); END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER incident_event_event AFTER INSERT ON incident_event REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION incident_entries_event();
`;
