import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Writes the events of monitors, verdicts, incidents, their timelines and deliveries once for each statement, not for each
 * row: in a storm of incidents, the triggers of single rows were an eighth of what PostgreSQL did.
 */
export class EventsOfStatements1763900000034 implements Migration {
  readonly name = 'EventsOfStatements1763900000034';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Only the holder of the advisory lock notifies, as in workspace_event_add.
      CREATE FUNCTION workspace_event_notify() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF pg_try_advisory_xact_lock(hashtextextended('watchpost.workspace_event', 0)) THEN
          PERFORM pg_notify('watchpost_workspace_event', '');
        END IF;
      END $$;

      CREATE OR REPLACE FUNCTION monitor_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO workspace_event (workspace_id, kind, object_id) SELECT workspace_id, 'monitor', id::text FROM after;
        IF FOUND THEN PERFORM workspace_event_notify(); END IF;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER monitor_event AFTER UPDATE ON monitor REFERENCING NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION monitor_event();
      CREATE TRIGGER monitor_added_event AFTER INSERT ON monitor REFERENCING NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION monitor_event();

      -- EXCEPT takes a time proportional to the rows. The plan of a join is kept, and may be that of few rows.
      CREATE OR REPLACE FUNCTION monitor_state_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO workspace_event (workspace_id, kind, object_id)
        SELECT changed.workspace_id, 'monitor', monitor.id::text
        FROM (SELECT monitor_key, workspace_id, verdict, health_status, verdict_since FROM after
              EXCEPT SELECT monitor_key, workspace_id, verdict, health_status, verdict_since FROM before) AS changed
          CROSS JOIN LATERAL (SELECT id FROM monitor WHERE key = changed.monitor_key LIMIT 1) AS monitor;
        IF FOUND THEN PERFORM workspace_event_notify(); END IF;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER monitor_state_event AFTER UPDATE ON monitor_state
        REFERENCING OLD TABLE AS before NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION monitor_state_event();

      CREATE OR REPLACE FUNCTION incident_changed_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO workspace_event (workspace_id, kind, object_id) SELECT workspace_id, 'incident', id::text FROM after;
        IF FOUND THEN PERFORM workspace_event_notify(); END IF;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER incident_changed_event AFTER UPDATE ON incident REFERENCING NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION incident_changed_event();
      CREATE TRIGGER incident_added_event AFTER INSERT ON incident REFERENCING NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION incident_changed_event();

      CREATE FUNCTION incident_entries_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO workspace_event (workspace_id, kind, object_id)
        SELECT DISTINCT workspace_id, 'incident', incident_id::text FROM after;
        IF FOUND THEN PERFORM workspace_event_notify(); END IF;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER incident_event_event AFTER INSERT ON incident_event REFERENCING NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION incident_entries_event();

      CREATE OR REPLACE FUNCTION delivery_event() RETURNS trigger LANGUAGE plpgsql AS $$
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
      CREATE OR REPLACE TRIGGER delivery_added_event AFTER INSERT ON delivery REFERENCING NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION delivery_event();
      CREATE OR REPLACE TRIGGER delivery_finished_event AFTER UPDATE ON delivery
        REFERENCING OLD TABLE AS before NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION delivery_event();
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
