export const monitorTables = `
  -- The row of a group is locked while monitors join it: the rule of one monitor per type is decided under that lock.
  CREATE TABLE service_group (
    id uuid CONSTRAINT service_group_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT service_group_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    name text NOT NULL,
    -- Null: the host that its monitors have in common is shown.
    hostname text,
    -- A deleted group can be restored until it is purged.
    deleted_at timestamptz(3),
    purge_at timestamptz(3),
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT service_group_purge_check CHECK ((deleted_at IS NULL) = (purge_at IS NULL))
  );
  CREATE INDEX service_group_workspace_idx ON service_group (workspace_id, created DESC, id DESC);
  CREATE INDEX service_group_purge_idx ON service_group (purge_at) WHERE purge_at IS NOT NULL;

  CREATE TABLE monitor (
    id uuid CONSTRAINT monitor_pkey PRIMARY KEY,
    -- Identifies the monitor in hot tables and on the wire.
    key bigint GENERATED ALWAYS AS IDENTITY,
    -- No foreign key: the tombstones of a deleted workspace's monitors outlive it.
    workspace_id uuid NOT NULL,
    -- The owner of the workspace, set by the trigger monitor_owner; null where the workspace no longer exists.
    owner_id uuid,
    name text NOT NULL,
    url text NOT NULL,
    -- The registrable domain of the URL's host, or the host where it is an address. Empty where it was not computed.
    site text NOT NULL DEFAULT '',
    monitor_types text[] NOT NULL,
    monitoring_status text NOT NULL DEFAULT 'enabled',
    check_interval_ms integer NOT NULL,
    check_timeout_ms integer NOT NULL,
    checks_before_alert smallint NOT NULL,
    checks_before_recovery smallint NOT NULL,
    -- Regions beside the home region.
    enabled_regions text[] NOT NULL DEFAULT '{}',
    service_group_id uuid
      CONSTRAINT monitor_service_group_fk REFERENCES service_group (id) ON DELETE SET NULL,
    reporting jsonb NOT NULL,
    http jsonb NOT NULL,
    -- Header values that are secrets, encrypted as one JSON object; null where there are none.
    http_secrets bytea,
    ssl jsonb NOT NULL,
    latency jsonb NOT NULL,
    dns jsonb NOT NULL,
    tcp_udp jsonb NOT NULL,
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    -- When a setting changed that checks depend on. This is a scheduled time of its own.
    checks_changed timestamptz(3) NOT NULL,
    -- The transaction that last wrote the row, by which deltas of assignments are read. Transaction ids are
    -- assigned before they commit, so readers start from the oldest running transaction.
    revision bigint NOT NULL,
    -- A deleted monitor remains as a tombstone until every agent has received the deletion.
    deleted_at timestamptz(3),
    -- The group with which the monitor was deleted and can be restored: until then it is a tombstone that keeps its
    -- secrets and is not purged.
    buried_with uuid CONSTRAINT monitor_buried_with_fk REFERENCES service_group (id) ON DELETE SET NULL,
    CONSTRAINT monitor_key_key UNIQUE (key),
    CONSTRAINT monitor_status_check CHECK (monitoring_status IN ('enabled', 'disabled', 'paused'))
  );
  CREATE INDEX monitor_workspace_idx ON monitor (workspace_id, created DESC, id DESC) WHERE deleted_at IS NULL;
  CREATE INDEX monitor_revision_idx ON monitor (revision, key);
  CREATE INDEX monitor_tombstone_idx ON monitor (deleted_at) WHERE deleted_at IS NOT NULL;
  CREATE INDEX monitor_service_group_idx ON monitor (service_group_id) WHERE service_group_id IS NOT NULL;
  CREATE INDEX monitor_buried_with_idx ON monitor (buried_with) WHERE buried_with IS NOT NULL;
  CREATE INDEX monitor_reporting_idx ON monitor (workspace_id)
    WHERE deleted_at IS NULL AND reporting @? '$.* ? (@ == true)';

  CREATE FUNCTION monitor_touch() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.revision := pg_current_xact_id()::text::bigint;
    RETURN NEW;
  END $$;
  CREATE TRIGGER monitor_touch BEFORE INSERT OR UPDATE ON monitor FOR EACH ROW EXECUTE FUNCTION monitor_touch();

  -- A change of the workspace's owner updates its monitors (workspace_monitors below), so that owner_id follows.
  CREATE FUNCTION monitor_owner() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.owner_id := coalesce((SELECT owner_id FROM workspace WHERE id = NEW.workspace_id), NEW.owner_id);
    RETURN NEW;
  END $$;
  CREATE TRIGGER monitor_owner BEFORE INSERT OR UPDATE ON monitor FOR EACH ROW EXECUTE FUNCTION monitor_owner();

  -- A workspace is deleted in many ways (with its owner's account too). In all of them the checks of its monitors stop,
  -- and none of them can be restored.
  CREATE FUNCTION monitor_bury_of_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE monitor SET deleted_at = coalesce(deleted_at, now()), last_modified = now(), http_secrets = NULL,
      buried_with = NULL
    WHERE workspace_id = OLD.id AND (deleted_at IS NULL OR http_secrets IS NOT NULL);
    RETURN NULL;
  END $$;
  CREATE TRIGGER workspace_monitors_buried AFTER DELETE ON workspace
    FOR EACH ROW EXECUTE FUNCTION monitor_bury_of_workspace();

  -- Which checks run depends on the owner's plan and suspension too. However those change, the monitors get a new
  -- revision, so that agents receive the change.
  CREATE FUNCTION monitor_touch_of_owner() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE monitor SET revision = 0 FROM workspace
    WHERE workspace.id = monitor.workspace_id AND workspace.owner_id = NEW.id AND monitor.deleted_at IS NULL;
    RETURN NULL;
  END $$;
  CREATE TRIGGER user_account_monitors AFTER UPDATE ON user_account FOR EACH ROW
    WHEN (OLD.plan IS DISTINCT FROM NEW.plan OR OLD.plan_limits IS DISTINCT FROM NEW.plan_limits
      OR OLD.suspended_at IS DISTINCT FROM NEW.suspended_at)
    EXECUTE FUNCTION monitor_touch_of_owner();

  CREATE FUNCTION monitor_touch_of_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE monitor SET revision = 0 WHERE workspace_id = NEW.id AND deleted_at IS NULL;
    RETURN NULL;
  END $$;
  CREATE TRIGGER workspace_monitors AFTER UPDATE ON workspace FOR EACH ROW
    WHEN (OLD.owner_id IS DISTINCT FROM NEW.owner_id)
    EXECUTE FUNCTION monitor_touch_of_workspace();

  -- The scheduled times of a monitor before it was changed: agents that were disconnected continue by the settings they
  -- know, and report later.
  CREATE TABLE former_schedule (
    monitor_key bigint CONSTRAINT former_schedule_pkey PRIMARY KEY REFERENCES monitor (key) ON DELETE CASCADE,
    -- Whether an earlier time was a scheduled one is unknown.
    known_since timestamptz(3) NOT NULL,
    -- Every former checks_changed, oldest first.
    changes timestamptz[] NOT NULL,
    intervals_ms integer[] NOT NULL
  );

  -- Both lists are bounded. Dropping an entry only widens what is accepted as a scheduled time. 37 days: after that an
  -- agent's certificate cannot be renewed, so that no agent reports by the dropped entries.
  CREATE FUNCTION monitor_keep_schedule() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO former_schedule AS former (monitor_key, known_since, changes, intervals_ms)
    VALUES (OLD.key, OLD.created, ARRAY[OLD.checks_changed], ARRAY[OLD.check_interval_ms])
    ON CONFLICT (monitor_key) DO UPDATE SET
      known_since = greatest(former.known_since,
        CASE WHEN cardinality(former.changes) >= 100 THEN former.changes[1] + interval '1 ms' END,
        CASE WHEN cardinality(former.intervals_ms) >= 20 AND OLD.check_interval_ms <> ALL (former.intervals_ms)
             THEN now() + interval '37 days' END),
      changes = CASE WHEN OLD.checks_changed = ANY (former.changes) THEN former.changes
        ELSE (former.changes || OLD.checks_changed)[greatest(1, cardinality(former.changes) - 98):] END,
      intervals_ms = CASE WHEN OLD.check_interval_ms = ANY (former.intervals_ms) THEN former.intervals_ms
        ELSE (former.intervals_ms || OLD.check_interval_ms)[greatest(1, cardinality(former.intervals_ms) - 18):] END;
    RETURN NULL;
  END $$;
  CREATE TRIGGER monitor_schedule_kept AFTER UPDATE ON monitor FOR EACH ROW
    WHEN (OLD.checks_changed <> NEW.checks_changed OR OLD.check_interval_ms <> NEW.check_interval_ms)
    EXECUTE FUNCTION monitor_keep_schedule();

  -- How many monitors of each owner a region checks for reachability: exact after every change of a monitor.
  CREATE TABLE region_owner (
    owner_id uuid NOT NULL,
    -- By its API name.
    region text NOT NULL,
    monitors integer NOT NULL,
    CONSTRAINT region_owner_pkey PRIMARY KEY (owner_id, region)
  );
  CREATE INDEX region_owner_region_idx ON region_owner (region);

  -- Rows are written in one order, so that concurrent changes do not deadlock.
  CREATE FUNCTION count_region_owners() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    moved text := CASE TG_OP
      WHEN 'INSERT' THEN 'SELECT 1 AS change, * FROM after'
      WHEN 'DELETE' THEN 'SELECT -1 AS change, * FROM before'
      ELSE 'SELECT 1 AS change, * FROM after UNION ALL SELECT -1, * FROM before' END;
  BEGIN
    EXECUTE 'INSERT INTO region_owner AS known (owner_id, region, monitors)
      SELECT owner_id, region, sum(change)
      FROM (' || moved || ') AS moved, unnest(array_append(enabled_regions, ''northeurope'')) AS region
      WHERE owner_id IS NOT NULL AND deleted_at IS NULL AND monitoring_status = ''enabled''
        AND monitor_types && ''{HttpAvailability,Latency,TcpUdp}''
      GROUP BY owner_id, region HAVING sum(change) <> 0 ORDER BY owner_id, region
      ON CONFLICT (owner_id, region) DO UPDATE SET monitors = known.monitors + excluded.monitors';
    IF TG_OP <> 'INSERT' THEN
      DELETE FROM region_owner WHERE monitors <= 0 AND owner_id IN (SELECT owner_id FROM before);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER monitor_regions_added AFTER INSERT ON monitor REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION count_region_owners();
  CREATE TRIGGER monitor_regions_changed AFTER UPDATE ON monitor REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION count_region_owners();
  CREATE TRIGGER monitor_regions_removed AFTER DELETE ON monitor REFERENCING OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION count_region_owners();
`;

/** What other capabilities read of monitors. */
export const monitorViews = `
  -- A monitor as people see it: its settings, its state, its latest incident, and the plan that decides which of its
  -- checks run. Each lateral costs one index probe for every monitor that is shown.
  CREATE VIEW monitor_view AS
  SELECT monitor.key, monitor.id, monitor.workspace_id, monitor.name, monitor.url, monitor.monitor_types,
    monitor.monitoring_status, monitor.check_interval_ms, monitor.check_timeout_ms, monitor.checks_before_alert,
    monitor.checks_before_recovery, monitor.enabled_regions, monitor.service_group_id, monitor.reporting,
    monitor.http, monitor.ssl, monitor.latency, monitor.dns, monitor.tcp_udp, monitor.created,
    monitor.last_modified, monitor.checks_changed, plan.plan, plan.plan_limits, state.health_status,
    states.series, latest_incident.latest_incident, certificate.ssl_status
  FROM monitor
  JOIN workspace_plan plan ON plan.workspace_id = monitor.workspace_id
  LEFT JOIN monitor_state state ON state.monitor_key = monitor.key
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object(
      'kind', series.kind, 'region', series.region, 'outcome', series.last_outcome,
      'startedMs', (extract(epoch FROM series.last_started_at) * 1000)::bigint,
      'totalUs', series.last_total_us, 'statusCode', series.last_status_code,
      'message', series.last_message, 'failing', series.failing, 'stale', series.stale,
      'isConclusive', series.conclusive_at IS NOT NULL,
      'freshUntilMs', (extract(epoch FROM nullif(series.fresh_until, 'infinity')) * 1000)::bigint
    )) AS series
    FROM series WHERE series.monitor_key = monitor.key
  ) states ON true
  LEFT JOIN LATERAL (
    SELECT jsonb_build_object('id', incident.id, 'status', incident.status,
      'startedMs', (extract(epoch FROM incident.started) * 1000)::bigint,
      'endedMs', (extract(epoch FROM incident.ended) * 1000)::bigint,
      'failureReason', incident.failure_reason) AS latest_incident
    FROM incident
    WHERE incident.monitor_key = monitor.key AND incident.workspace_id = monitor.workspace_id
    ORDER BY incident.started DESC, incident.id DESC LIMIT 1
  ) latest_incident ON true
  LEFT JOIN LATERAL (
    SELECT jsonb_build_object('region', latest.region, 'message', latest.message,
      'checkedMs', (extract(epoch FROM latest.started_at) * 1000)::bigint,
      'detail', CASE WHEN latest.answered_at = latest.checked_at THEN latest.answer END) AS ssl_status
    FROM last_answer latest
    WHERE 'SslCertificate' = ANY (monitor.monitor_types)
      AND latest.monitor_key = monitor.key AND latest.kind = 2 AND latest.target = monitor.url
    ORDER BY latest.checked_at DESC, latest.region LIMIT 1
  ) certificate ON true
  WHERE monitor.deleted_at IS NULL;

  -- For ingest and verdict: a monitor with the settings of its workspace. The workspace is unique on the right side of
  -- an outer join, so that the planner removes the join where no column of it is read.
  CREATE VIEW verdict_subject AS
  SELECT monitor.key AS monitor_key, monitor.id AS monitor_id, monitor.workspace_id, monitor.name,
    monitor.monitor_types, monitor.monitoring_status = 'enabled' AS is_enabled, monitor.enabled_regions,
    monitor.check_interval_ms, monitor.checks_before_alert, monitor.checks_before_recovery, monitor.checks_changed,
    workspace.incident_quorum, workspace.auto_close_incidents, monitor.url, monitor.ssl, monitor.latency, monitor.dns
  FROM monitor LEFT JOIN workspace ON workspace.id = monitor.workspace_id
  WHERE monitor.deleted_at IS NULL;

  -- For rollups: deleted monitors too, as long as they can be restored.
  CREATE VIEW rollup_subject AS SELECT monitor.key AS monitor_key FROM monitor;

  -- For the detection of suspect regions.
  CREATE VIEW suspect_subject AS
  SELECT key AS monitor_key, owner_id, site FROM monitor WHERE deleted_at IS NULL AND owner_id IS NOT NULL;

  -- For ingest: the check kinds (as in shared/src/check.ts) that results of a monitor may have, and the longest time
  -- for which a result may count as fresh.
  CREATE VIEW check_allowance AS
  SELECT key AS monitor_key, 2 * check_interval_ms + check_timeout_ms AS fresh_ms,
    ARRAY(SELECT CASE type WHEN 'HttpAvailability' THEN 1 WHEN 'Latency' THEN 1 WHEN 'SslCertificate' THEN 2
      WHEN 'Dns' THEN 3 WHEN 'TcpUdp' THEN 4 END FROM unnest(monitor_types) AS type) AS kinds
  FROM monitor;

  -- For fleet: what determines the scheduled times of a monitor's checks, before its last change too.
  CREATE VIEW known_schedule AS
  SELECT monitor.key AS monitor_key, monitor.created, monitor.checks_changed, monitor.check_interval_ms AS interval_ms,
    coalesce(former.known_since, monitor.created) AS known_since, coalesce(former.changes, '{}') AS former_changes,
    coalesce(former.intervals_ms, '{}') AS former_intervals_ms
  FROM monitor LEFT JOIN former_schedule former ON former.monitor_key = monitor.key;

  -- For alerts: how messages describe a monitor.
  CREATE VIEW alert_monitor AS
    SELECT m.workspace_id, m.key,
      jsonb_build_object('id', m.id, 'name', m.name, 'url', m.url, 'monitorTypes', m.monitor_types) AS summary
    FROM monitor m;

  -- For reports: monitors with a report that is sent on a timetable.
  CREATE VIEW reported_monitor AS
  SELECT workspace_id, key, id, name,
    (reporting->>'dailyReport')::boolean AS daily,
    (reporting->>'weeklyReport')::boolean AS weekly,
    (reporting->>'monthlyReport')::boolean AS monthly
  FROM monitor WHERE deleted_at IS NULL AND monitoring_status <> 'disabled'
    AND reporting @? '$.* ? (@ == true)';
`;
