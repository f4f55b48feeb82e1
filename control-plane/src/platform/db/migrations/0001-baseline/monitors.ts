export const monitorsTables = `
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
    id uuid NOT NULL,
    -- Identifies the monitor in hot tables and on the wire.
    key bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    -- No foreign key: the tombstones of a deleted workspace's monitors outlive it.
    workspace_id uuid NOT NULL,
    -- The owner of the workspace, set by the trigger monitor_owner; null where the workspace no longer exists.
    owner_id uuid,
    name text NOT NULL,
    url text,
    -- The registrable domain of the URL's host, or the host where it is an address. Empty where it was not computed.
    site text DEFAULT '' NOT NULL,
    monitor_types text[] NOT NULL,
    monitoring_status text DEFAULT 'enabled' NOT NULL,
    check_interval_ms integer NOT NULL,
    check_timeout_ms integer NOT NULL,
    checks_before_alert smallint NOT NULL,
    checks_before_recovery smallint NOT NULL,
    -- Regions beside the home region.
    enabled_regions text[] DEFAULT '{}' NOT NULL,
    -- Whether the home region checks it.
    home_region boolean DEFAULT true NOT NULL,
    -- The codes of the private locations that check it, in the order of the codes.
    private_locations smallint[] DEFAULT '{}' NOT NULL,
    service_group_id uuid,
    reporting jsonb NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    -- Header values that are secrets, encrypted as one JSON object; null where there are none.
    secrets bytea,
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
    buried_with uuid,
    -- Lower-cased, without duplicates, in alphabetical order.
    tags text[] DEFAULT '{}' NOT NULL,
    -- Whether a window pauses the checks of the monitor now.
    checks_held boolean DEFAULT false NOT NULL,
    heartbeat jsonb,
    depends_on uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    -- The team that is paged for it while it is in no service group.
    team_id uuid,
    CONSTRAINT monitor_pkey PRIMARY KEY (id),
    CONSTRAINT monitor_key_key UNIQUE (key),
    CONSTRAINT monitor_status_check CHECK (monitoring_status IN ('enabled', 'disabled', 'paused')),
    CONSTRAINT monitor_buried_with_fk FOREIGN KEY (buried_with) REFERENCES service_group(id) ON DELETE SET NULL,
    CONSTRAINT monitor_service_group_fk FOREIGN KEY (service_group_id) REFERENCES service_group(id) ON DELETE SET NULL
  );
  CREATE INDEX monitor_workspace_idx ON monitor (workspace_id, created DESC, id DESC) WHERE deleted_at IS NULL;
  CREATE INDEX monitor_revision_idx ON monitor (revision, key);
  CREATE INDEX monitor_tombstone_idx ON monitor (deleted_at) WHERE deleted_at IS NOT NULL;
  CREATE INDEX monitor_service_group_idx ON monitor (service_group_id) WHERE service_group_id IS NOT NULL;
  CREATE INDEX monitor_buried_with_idx ON monitor (buried_with) WHERE buried_with IS NOT NULL;
  CREATE INDEX monitor_reporting_idx ON monitor (workspace_id)
    WHERE deleted_at IS NULL AND reporting @? '$.* ? (@ == true)';
  -- The workspace is a key beside the tags, so that a tag that many workspaces use is found in one of them.
  CREATE INDEX monitor_tag_idx ON monitor USING gin (array_prepend(workspace_id::text, tags))
    WHERE deleted_at IS NULL AND tags <> '{}';
  CREATE INDEX monitor_count_idx ON monitor (workspace_id, monitoring_status, enabled_regions)
    INCLUDE (key, service_group_id) WHERE deleted_at IS NULL;
  CREATE INDEX monitor_shard_idx ON monitor ((key % 16384));
  CREATE INDEX monitor_held_idx ON monitor (key) WHERE checks_held;

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

  -- How many monitors of each owner a region checks for reachability: exact after every change of a monitor.
  CREATE TABLE region_owner (
    owner_id uuid NOT NULL,
    -- By its API name.
    region text NOT NULL,
    monitors integer NOT NULL,
    sites integer DEFAULT 0 NOT NULL,
    CONSTRAINT region_owner_pkey PRIMARY KEY (owner_id, region)
  );
  CREATE INDEX region_owner_region_idx ON region_owner (region);

  CREATE TABLE region_site (
    owner_id uuid NOT NULL,
    region text NOT NULL,
    site text NOT NULL,
    monitors integer NOT NULL,
    CONSTRAINT region_site_pkey PRIMARY KEY (owner_id, region, site)
  );

  CREATE TABLE purged_revision (
    is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT purged_revision_only_check CHECK (is_only),
    revision bigint NOT NULL
  );
`;

export const monitorsTriggers = `
  CREATE FUNCTION monitor_touch() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.revision := pg_current_xact_id()::text::bigint;
    RETURN NEW;
  END $$;
  CREATE TRIGGER monitor_touch BEFORE INSERT OR UPDATE ON monitor FOR EACH ROW EXECUTE FUNCTION monitor_touch();

  -- A change of the workspace's owner updates its monitors (workspace_monitors below), so that owner_id follows.
  CREATE FUNCTION monitor_owner() RETURNS trigger LANGUAGE plpgsql AS $$
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
  CREATE TRIGGER monitor_owner BEFORE INSERT OR UPDATE ON monitor FOR EACH ROW EXECUTE FUNCTION monitor_owner();

  -- A workspace is deleted in many ways (with its owner's account too). In all of them the checks of its monitors stop,
  -- and none of them can be restored.
  CREATE FUNCTION monitor_bury_of_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE monitor SET deleted_at = coalesce(deleted_at, now()), last_modified = now(), secrets = NULL,
      buried_with = NULL
    WHERE workspace_id = OLD.id AND (deleted_at IS NULL OR secrets IS NOT NULL);
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

  -- Rows are written in one order, so that concurrent changes do not deadlock.
  CREATE FUNCTION count_region_owners() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    changed bigint;
    moved text := 'WITH moved AS (
      SELECT owner_id, region, site, sum(change) AS monitors, sum(change) FILTER (WHERE check_interval_ms <= 600000) AS frequent
      FROM (' || CASE TG_OP
        WHEN 'INSERT' THEN 'SELECT 1 AS change, * FROM after'
        WHEN 'DELETE' THEN 'SELECT -1 AS change, * FROM before'
        ELSE 'SELECT 1 AS change, * FROM after UNION ALL SELECT -1, * FROM before' END || ') AS row,
        unnest(CASE WHEN home_region THEN array_append(enabled_regions, ''northeurope'') ELSE enabled_regions END) AS region
      WHERE owner_id IS NOT NULL AND deleted_at IS NULL AND monitoring_status = ''enabled''
        AND NOT monitor_types <@ ''{SslCertificate,Dns,Domain,Heartbeat}''
      GROUP BY owner_id, region, site HAVING sum(change) <> 0 OR sum(change) FILTER (WHERE check_interval_ms <= 600000) <> 0
    )';
  BEGIN
    EXECUTE moved || 'INSERT INTO region_owner AS known (owner_id, region, monitors)
      SELECT owner_id, region, sum(monitors) FROM moved GROUP BY owner_id, region ORDER BY owner_id, region
      ON CONFLICT (owner_id, region) DO UPDATE SET monitors = known.monitors + excluded.monitors';
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed = 0 THEN
      RETURN NULL;
    END IF;
    EXECUTE moved || ', counted AS (
        INSERT INTO region_site AS known (owner_id, region, site, monitors)
        SELECT owner_id, region, site, frequent FROM moved WHERE frequent <> 0 ORDER BY owner_id, region, site
        ON CONFLICT (owner_id, region, site) DO UPDATE SET monitors = known.monitors + excluded.monitors
        RETURNING owner_id, region, site, monitors
      ), gained AS (
        SELECT owner_id, region, sum((counted.monitors > 0)::integer - (counted.monitors - frequent > 0)::integer) AS sites
        FROM counted JOIN moved USING (owner_id, region, site) GROUP BY owner_id, region
      )
      UPDATE region_owner SET sites = region_owner.sites + gained.sites FROM gained
      WHERE region_owner.owner_id = gained.owner_id AND region_owner.region = gained.region AND gained.sites <> 0';
    IF TG_OP <> 'INSERT' THEN
      EXECUTE moved || 'DELETE FROM region_site USING moved WHERE region_site.owner_id = moved.owner_id
        AND region_site.region = moved.region AND region_site.site = moved.site AND region_site.monitors <= 0';
      DELETE FROM region_owner WHERE region_owner.monitors <= 0 AND owner_id IN (SELECT owner_id FROM before);
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

export const monitorsViews = `
  -- A monitor as people see it: its settings, its state, its latest incident, and the plan that decides which of its
  -- checks run. Each lateral costs one index probe for every monitor that is shown.
  CREATE VIEW monitor_view AS
  SELECT monitor.key,
      monitor.id,
      monitor.workspace_id,
      monitor.name,
      monitor.url,
      monitor.monitor_types,
      monitor.monitoring_status,
      monitor.check_interval_ms,
      monitor.check_timeout_ms,
      monitor.checks_before_alert,
      monitor.checks_before_recovery,
      monitor.enabled_regions,
      monitor.home_region,
      monitor.private_locations,
      monitor.service_group_id,
      monitor.team_id,
      monitor.reporting,
      monitor.settings,
      monitor.created,
      monitor.last_modified,
      monitor.checks_changed,
      plan.plan,
      plan.plan_limits,
      state.health_status,
      states.series,
      latest_incident.latest_incident,
      certificate.ssl_status,
      (SELECT jsonb_agg(jsonb_build_object('kind', found.kind, 'region', found.region, 'scheduledMs', (EXTRACT(epoch FROM found.scheduled_at) * 1000::numeric)::bigint, 'addresses', found.addresses, 'warnings', found.warnings, 'steps', found.steps, 'ping', found.ping) ORDER BY found.kind, found.region)
        FROM check_finding found WHERE found.monitor_key = monitor.key) AS findings,
      monitor.tags,
      monitor.heartbeat,
      CASE WHEN monitor.heartbeat IS NOT NULL THEN (SELECT sealed FROM ping_token WHERE monitor_id = monitor.id) END AS ping_token,
      CASE WHEN monitor.heartbeat IS NOT NULL THEN (SELECT last_ping FROM heartbeat WHERE monitor_key = monitor.key) END AS last_ping,
      CASE WHEN monitor.heartbeat IS NOT NULL THEN (SELECT expected_by FROM heartbeat WHERE monitor_key = monitor.key) END AS expected_by
     FROM monitor
       JOIN workspace_plan plan ON plan.workspace_id = monitor.workspace_id
       LEFT JOIN monitor_state state ON state.monitor_key = monitor.key
       LEFT JOIN LATERAL ( SELECT jsonb_agg(jsonb_build_object('kind', series.kind, 'region', series.region, 'outcome', series.last_outcome, 'startedMs', (EXTRACT(epoch FROM series.last_started_at) * 1000::numeric)::bigint, 'totalUs', series.last_total_us, 'statusCode', series.last_status_code, 'message', series.last_message, 'failing', series.failing, 'stale', series.stale, 'lastMs', (EXTRACT(epoch FROM series.last_scheduled_at) * 1000::numeric)::bigint, 'conclusiveMs', (EXTRACT(epoch FROM series.conclusive_at) * 1000::numeric)::bigint, 'freshUntilMs', (EXTRACT(epoch FROM NULLIF(series.fresh_until, 'infinity'::timestamp with time zone)) * 1000::numeric)::bigint)) AS series
             FROM series
            WHERE series.monitor_key = monitor.key) states ON true
       LEFT JOIN LATERAL ( SELECT jsonb_build_object('id', incident.id, 'status', incident.status, 'startedMs', (EXTRACT(epoch FROM incident.started) * 1000::numeric)::bigint, 'endedMs', (EXTRACT(epoch FROM incident.ended) * 1000::numeric)::bigint, 'failureReason', incident.failure_reason) AS latest_incident
             FROM incident
            WHERE incident.monitor_key = monitor.key AND incident.workspace_id = monitor.workspace_id
            ORDER BY incident.started DESC, incident.id DESC
           LIMIT 1) latest_incident ON true
       LEFT JOIN LATERAL ( SELECT jsonb_build_object('region', latest.region, 'message', latest.message, 'checkedMs', (EXTRACT(epoch FROM latest.started_at) * 1000::numeric)::bigint, 'detail',
                  CASE
                      WHEN latest.answered_at = latest.checked_at THEN latest.answer
                      ELSE NULL::jsonb
                  END) AS ssl_status
             FROM last_answer latest
            WHERE ('SslCertificate'::text = ANY (monitor.monitor_types)) AND latest.monitor_key = monitor.key AND latest.kind = 2 AND latest.target = monitor.url
            ORDER BY latest.checked_at DESC, latest.region
           LIMIT 1) certificate ON true
    WHERE monitor.deleted_at IS NULL;

  -- For ingest and verdict: a monitor with the settings of its workspace. The workspace is unique on the right side of
  -- an outer join, so that the planner removes the join where no column of it is read.
  CREATE VIEW verdict_subject AS
    SELECT monitor.key AS monitor_key, monitor.id AS monitor_id, monitor.workspace_id, monitor.name,
      monitor.monitor_types, monitor.monitoring_status = 'enabled' AND NOT monitor.checks_held AS is_enabled,
      monitor.enabled_regions, monitor.home_region, monitor.private_locations, monitor.check_interval_ms,
      monitor.checks_before_alert, monitor.checks_before_recovery,
      -- Every place that checks it, as results name them.
      CASE WHEN monitor.home_region THEN '{northeurope}'::text[] ELSE '{}'::text[] END || monitor.enabled_regions
        || ARRAY(SELECT 'private:#' || code FROM unnest(monitor.private_locations) AS code) AS checked_from,
      monitor.checks_changed, workspace.incident_quorum, workspace.auto_close_incidents, monitor.url, monitor.settings
    FROM monitor LEFT JOIN workspace ON workspace.id = monitor.workspace_id
    WHERE monitor.deleted_at IS NULL;

  -- For rollups: deleted monitors too, as long as they can be restored.
  CREATE VIEW rollup_subject AS SELECT monitor.key AS monitor_key FROM monitor;

  -- For the detection of suspect regions.
  CREATE VIEW suspect_subject AS
  SELECT key AS monitor_key, owner_id, site FROM monitor WHERE deleted_at IS NULL AND owner_id IS NOT NULL;

  -- For ingest: the longest time for which a result may count as fresh.
  CREATE VIEW check_allowance AS
  SELECT key AS monitor_key, 2 * check_interval_ms + check_timeout_ms
    + CASE WHEN settings @? '$.http.steps[*] ? (@.always == true)' THEN 40000 ELSE 0 END AS fresh_ms
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

  -- One row for each monitor that another one depends on. Deleted ones are in depends_on, as they may be restored, and not here.
  CREATE VIEW monitor_dependency AS
  SELECT monitor.workspace_id, monitor.id AS monitor_id, monitor.key AS monitor_key, cause.id AS cause_id,
    cause.key AS cause_key, cause.name AS cause_name
  FROM monitor CROSS JOIN LATERAL unnest(monitor.depends_on) AS named (id)
    CROSS JOIN LATERAL (
      SELECT one.id, one.key, one.name FROM monitor one
      WHERE one.id = named.id AND one.workspace_id = monitor.workspace_id AND one.deleted_at IS NULL LIMIT 1
    ) AS cause;
`;
