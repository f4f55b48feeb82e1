import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

const STATEMENTS = `
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
    stage text NOT NULL DEFAULT 'planned',
    CONSTRAINT maintenance_occurrence_pkey PRIMARY KEY (window_id, starts),
    CONSTRAINT maintenance_occurrence_order_check CHECK (starts < ends),
    CONSTRAINT maintenance_occurrence_stage_check CHECK (stage IN ('planned', 'opened', 'running', 'over')),
    CONSTRAINT maintenance_occurrence_window_fk FOREIGN KEY (window_id) REFERENCES maintenance_window (id) ON DELETE CASCADE
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

  -- Whether a window pauses the checks of the monitor now.
  ALTER TABLE monitor ADD COLUMN checks_held boolean NOT NULL DEFAULT false;

  -- Up to when time in maintenance has been counted, by which paging is moved on.
  ALTER TABLE incident_paging ADD COLUMN waited_until timestamptz(3);

  -- What a window may cover, and which monitors that is at the moment.
  CREATE VIEW maintenance_subject AS
    SELECT workspace_id, key AS monitor_key, id AS monitor_id, service_group_id, tags, checks_held FROM monitor
    WHERE deleted_at IS NULL;
  CREATE VIEW monitor_maintenance AS
    SELECT workspace_id, monitor_key, window_id, starts, ends, pauses_checks FROM maintenance_period;
  CREATE VIEW maintenance_page AS SELECT workspace_id, id AS status_page_id FROM status_page;

  CREATE OR REPLACE VIEW verdict_subject AS
    SELECT monitor.key AS monitor_key, monitor.id AS monitor_id, monitor.workspace_id, monitor.name,
      monitor.monitor_types, monitor.monitoring_status = 'enabled' AND NOT monitor.checks_held AS is_enabled,
      monitor.enabled_regions, monitor.check_interval_ms, monitor.checks_before_alert, monitor.checks_before_recovery,
      monitor.checks_changed, workspace.incident_quorum, workspace.auto_close_incidents, monitor.url, monitor.ssl,
      monitor.latency, monitor.dns
    FROM monitor LEFT JOIN workspace ON workspace.id = monitor.workspace_id
    WHERE monitor.deleted_at IS NULL;

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
`;

/** Maintenance windows with their occurrences, and the periods in which they cover monitors. */
export class MaintenanceWindows1763900000017 implements Migration {
  readonly name = 'MaintenanceWindows1763900000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
