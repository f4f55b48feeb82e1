import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MonitorView1763700000008 implements MigrationInterface {
  name = 'MonitorView1763700000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A monitor as people see it: its settings, where it stands, its latest incident, and the plan that
      -- says what of it is run. The laterals cost one index probe each for every monitor that is shown.
      CREATE VIEW monitor_view AS
      SELECT monitor.key, monitor.id, monitor.workspace_id, monitor.name, monitor.url, monitor.monitor_types,
        monitor.monitoring_status, monitor.check_interval_ms, monitor.check_timeout_ms, monitor.checks_before_alert,
        monitor.checks_before_recovery, monitor.enabled_regions, monitor.service_group_id, monitor.reporting,
        monitor.http, monitor.ssl, monitor.latency, monitor.dns, monitor.tcp_udp, monitor.created,
        monitor.last_modified, monitor.checks_changed, plan.plan, plan.plan_limits, state.health_status,
        standing.standings, latest_incident.latest_incident
      FROM monitor
      JOIN workspace_plan plan ON plan.workspace_id = monitor.workspace_id
      LEFT JOIN monitor_state state ON state.monitor_key = monitor.key
      LEFT JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object(
          'kind', region_state.kind, 'region', region_state.region, 'outcome', region_state.last_outcome,
          'startedMs', (extract(epoch FROM region_state.last_started_at) * 1000)::bigint,
          'totalUs', region_state.last_total_us, 'statusCode', region_state.last_status_code,
          'message', region_state.last_message, 'failing', region_state.failing, 'stale', region_state.stale,
          'isAwaited', region_state.failing IS NULL,
          'freshUntilMs', (extract(epoch FROM nullif(region_state.fresh_until, 'infinity')) * 1000)::bigint
        )) AS standings
        FROM region_state WHERE region_state.monitor_key = monitor.key
      ) standing ON true
      LEFT JOIN LATERAL (
        SELECT jsonb_build_object('id', incident.id, 'status', incident.status,
          'startedMs', (extract(epoch FROM incident.started) * 1000)::bigint,
          'endedMs', (extract(epoch FROM incident.ended) * 1000)::bigint,
          'failureReason', incident.failure_reason) AS latest_incident
        FROM incident
        WHERE incident.monitor_key = monitor.key AND incident.workspace_id = monitor.workspace_id
        ORDER BY incident.started DESC, incident.id DESC LIMIT 1
      ) latest_incident ON true
      WHERE monitor.deleted_at IS NULL;

      -- What is run depends on the owner's plan too. Whoever changes that, by whatever way, the monitors
      -- get a new revision, and so the agents hear of it.
      CREATE FUNCTION monitor_touch_of_owner() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE monitor SET revision = 0 FROM workspace
        WHERE workspace.id = monitor.workspace_id AND workspace.owner_id = NEW.id AND monitor.deleted_at IS NULL;
        RETURN NULL;
      END $$;
      CREATE TRIGGER user_account_monitors AFTER UPDATE ON user_account FOR EACH ROW
        WHEN (OLD.plan IS DISTINCT FROM NEW.plan OR OLD.plan_limits IS DISTINCT FROM NEW.plan_limits)
        EXECUTE FUNCTION monitor_touch_of_owner();

      CREATE FUNCTION monitor_touch_of_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE monitor SET revision = 0 WHERE workspace_id = NEW.id AND deleted_at IS NULL;
        RETURN NULL;
      END $$;
      CREATE TRIGGER workspace_monitors AFTER UPDATE ON workspace FOR EACH ROW
        WHEN (OLD.owner_id IS DISTINCT FROM NEW.owner_id)
        EXECUTE FUNCTION monitor_touch_of_workspace();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER workspace_monitors ON workspace;
      DROP FUNCTION monitor_touch_of_workspace;
      DROP TRIGGER user_account_monitors ON user_account;
      DROP FUNCTION monitor_touch_of_owner;
      DROP VIEW monitor_view;
    `);
  }
}
