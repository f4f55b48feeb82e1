export const maintenanceTables = `
  CREATE TABLE maintenance_window (
    id uuid CONSTRAINT maintenance_window_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    -- Local time without offset, to the second: the zone decides which moment it is.
    starts_at text NOT NULL,
    timezone text NOT NULL,
    duration_ms integer NOT NULL,
    recurrence text,
    -- Set where it was started at once: a local time that exists twice does not name the moment.
    started_now timestamptz(3),
    monitor_ids uuid[] NOT NULL,
    service_group_ids uuid[] NOT NULL,
    tags text[] NOT NULL,
    covers_all boolean NOT NULL,
    pauses_checks boolean NOT NULL,
    status_page_ids uuid[] NOT NULL,
    notify_subscribers boolean NOT NULL,
    -- Occurrences that begin before it are in maintenance_occurrence; null: all are.
    stored_until timestamptz(3),
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    -- Deleted windows remain while their occurrences are history.
    deleted_at timestamptz(3),
    CONSTRAINT maintenance_window_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id) ON DELETE CASCADE
  );
  CREATE INDEX maintenance_window_workspace_idx ON maintenance_window (workspace_id, created, id) WHERE deleted_at IS NULL;
  CREATE INDEX maintenance_window_stored_idx ON maintenance_window (stored_until)
    WHERE stored_until IS NOT NULL AND deleted_at IS NULL;

  -- When windows take place. Past ones are kept, because uptime excludes them.
  CREATE TABLE maintenance_occurrence (
    window_id uuid NOT NULL,
    starts timestamptz(3) NOT NULL,
    ends timestamptz(3) NOT NULL,
    -- planned; opened: its periods exist, from minutes before its start on; running; over
    stage text DEFAULT 'planned' NOT NULL,
    -- When its end was moved; null: never.
    changed timestamptz(3),
    CONSTRAINT maintenance_occurrence_pkey PRIMARY KEY (window_id, starts),
    CONSTRAINT maintenance_occurrence_order_check CHECK (starts < ends),
    CONSTRAINT maintenance_occurrence_stage_check CHECK (stage IN ('planned', 'opened', 'running', 'over')),
    CONSTRAINT maintenance_occurrence_window_fk FOREIGN KEY (window_id) REFERENCES maintenance_window(id) ON DELETE CASCADE
  );
  CREATE INDEX maintenance_occurrence_due_idx ON maintenance_occurrence (starts) WHERE stage <> 'over';

  -- From when to when a window covers a monitor: what verdicts, uptime and pages read. Past ones are kept.
  CREATE TABLE maintenance_period (
    monitor_key bigint NOT NULL,
    window_id uuid NOT NULL,
    starts timestamptz(3) NOT NULL,
    ends timestamptz(3) NOT NULL,
    workspace_id uuid NOT NULL,
    -- Of the occurrence; a monitor that joined later is covered from then on only.
    occurrence_starts timestamptz(3) NOT NULL,
    pauses_checks boolean NOT NULL,
    CONSTRAINT maintenance_period_pkey PRIMARY KEY (monitor_key, window_id, starts),
    CONSTRAINT maintenance_period_order_check CHECK (starts < ends),
    CONSTRAINT maintenance_period_window_fk FOREIGN KEY (window_id) REFERENCES maintenance_window (id) ON DELETE CASCADE
  );
  CREATE INDEX maintenance_period_monitor_idx ON maintenance_period (monitor_key, ends);
  CREATE INDEX maintenance_period_window_idx ON maintenance_period (window_id, ends);
  CREATE INDEX maintenance_period_workspace_idx ON maintenance_period (workspace_id, ends);

  CREATE TABLE status_page_notified_maintenance (
    page_id uuid NOT NULL,
    window_id uuid NOT NULL,
    starts timestamptz(3) NOT NULL,
    -- As the subscribers know it.
    ends timestamptz(3) NOT NULL,
    name text NOT NULL,
    -- They were notified of its end. The row stays for some days: another process may see the end later.
    is_over boolean NOT NULL DEFAULT false,
    CONSTRAINT status_page_notified_maintenance_pkey PRIMARY KEY (page_id, window_id, starts),
    CONSTRAINT status_page_notified_maintenance_page_fk FOREIGN KEY (page_id) REFERENCES status_page (id) ON DELETE CASCADE,
    CONSTRAINT status_page_notified_maintenance_window_fk FOREIGN KEY (window_id)
      REFERENCES maintenance_window (id) ON DELETE CASCADE
  );
  CREATE INDEX status_page_notified_maintenance_open_idx ON status_page_notified_maintenance (page_id) WHERE NOT is_over;
  CREATE INDEX status_page_notified_maintenance_ends_idx ON status_page_notified_maintenance (ends);
  CREATE INDEX status_page_notified_maintenance_window_idx ON status_page_notified_maintenance (window_id);

  -- Occurrences that do not take place: calendar programs that have read them are to remove them.
  CREATE TABLE maintenance_cancellation (
    window_id uuid NOT NULL,
    starts timestamptz(3) NOT NULL,
    ends timestamptz(3) NOT NULL,
    cancelled timestamptz(3) NOT NULL,
    CONSTRAINT maintenance_cancellation_pkey PRIMARY KEY (window_id, starts),
    CONSTRAINT maintenance_cancellation_window_fk FOREIGN KEY (window_id) REFERENCES maintenance_window (id) ON DELETE CASCADE
  );
  CREATE INDEX maintenance_cancellation_ends_idx ON maintenance_cancellation (ends);
`;

export const maintenanceViews = `
  -- What a window may cover, and which monitors that is at the moment.
  CREATE VIEW maintenance_subject AS
  SELECT workspace_id, key AS monitor_key, id AS monitor_id, service_group_id, tags, checks_held,
    heartbeat IS NOT NULL AS is_heartbeat
  FROM monitor WHERE deleted_at IS NULL;

  CREATE VIEW monitor_maintenance AS
    SELECT workspace_id, monitor_key, window_id, starts, ends, pauses_checks FROM maintenance_period;

  CREATE VIEW maintenance_page AS SELECT workspace_id, id AS status_page_id FROM status_page;

  CREATE VIEW status_page_maintenance AS
    SELECT period.workspace_id, page_id, period.monitor_key, period.starts, period.ends
    FROM maintenance_period period JOIN maintenance_window plan ON plan.id = period.window_id
      CROSS JOIN unnest(plan.status_page_ids) AS page_id;

  CREATE VIEW status_page_announcement AS
    SELECT plan.workspace_id, page_id, plan.id AS window_id, plan.name, plan.description, occurrence.starts,
      occurrence.ends, ARRAY(
        SELECT DISTINCT shown.system_id FROM status_page_monitor shown
          JOIN maintenance_subject subject ON subject.monitor_key = shown.monitor_key
        WHERE shown.page_id = page.page_id AND subject.workspace_id = plan.workspace_id AND (plan.covers_all
          OR subject.monitor_id = ANY (plan.monitor_ids) OR subject.service_group_id = ANY (plan.service_group_ids)
          OR subject.tags && plan.tags)
        ORDER BY 1) AS system_ids,
      plan.notify_subscribers, plan.recurrence IS NOT NULL AS recurs, occurrence.stage
    FROM maintenance_window plan JOIN maintenance_occurrence occurrence ON occurrence.window_id = plan.id
      CROSS JOIN unnest(plan.status_page_ids) AS page (page_id)
    WHERE plan.deleted_at IS NULL;

  CREATE VIEW status_page_calendar AS
    SELECT plan.workspace_id, page_id, plan.id AS window_id, plan.name, plan.description, plan.created, occurrence.starts,
      occurrence.ends, greatest(plan.last_modified, occurrence.changed) AS changed, false AS is_cancelled
    FROM maintenance_window plan JOIN maintenance_occurrence occurrence ON occurrence.window_id = plan.id
      CROSS JOIN unnest(plan.status_page_ids) AS page_id
    UNION ALL
    SELECT plan.workspace_id, page_id, plan.id, plan.name, plan.description, plan.created, gone.starts, gone.ends,
      gone.cancelled, true
    FROM maintenance_window plan JOIN maintenance_cancellation gone ON gone.window_id = plan.id
      CROSS JOIN unnest(plan.status_page_ids) AS page_id
    WHERE NOT EXISTS (SELECT FROM maintenance_occurrence occurrence
      WHERE occurrence.window_id = gone.window_id AND occurrence.starts = gone.starts);
`;
