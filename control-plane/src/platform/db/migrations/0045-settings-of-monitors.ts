import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** One column for the settings of all types, so that a new setting or type needs none. */
export class SettingsOfMonitors1763900000045 implements Migration {
  readonly name = 'SettingsOfMonitors1763900000045';
  readonly contracts = { unusedSince: 'Answers1763900000044' };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW monitor_view');
    await runner.query('DROP VIEW verdict_subject');
    await runner.query(
      `ALTER TABLE monitor ALTER COLUMN http TYPE jsonb
       USING jsonb_build_object('http', http, 'ssl', ssl, 'latency', latency, 'dns', dns, 'tcpUdp', tcp_udp)`,
    );
    await runner.query('ALTER TABLE monitor RENAME COLUMN http TO settings');
    await runner.query(
      "ALTER TABLE monitor ALTER COLUMN settings SET DEFAULT '{}', DROP COLUMN ssl, DROP COLUMN latency, DROP COLUMN dns, DROP COLUMN tcp_udp",
    );
    await runner.query(`CREATE VIEW monitor_view AS
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
    monitor.service_group_id,
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
    monitor.tags,
    monitor.heartbeat,
        CASE
            WHEN monitor.heartbeat IS NOT NULL THEN ( SELECT ping_token.sealed
               FROM ping_token
              WHERE ping_token.monitor_id = monitor.id)
            ELSE NULL::bytea
        END AS ping_token,
        CASE
            WHEN monitor.heartbeat IS NOT NULL THEN ( SELECT heartbeat.last_ping
               FROM heartbeat
              WHERE heartbeat.monitor_key = monitor.key)
            ELSE NULL::timestamp with time zone
        END AS last_ping,
        CASE
            WHEN monitor.heartbeat IS NOT NULL THEN ( SELECT heartbeat.expected_by
               FROM heartbeat
              WHERE heartbeat.monitor_key = monitor.key)
            ELSE NULL::timestamp with time zone
        END AS expected_by
   FROM monitor
     JOIN workspace_plan plan ON plan.workspace_id = monitor.workspace_id
     LEFT JOIN monitor_state state ON state.monitor_key = monitor.key
     LEFT JOIN LATERAL ( SELECT jsonb_agg(jsonb_build_object('kind', series.kind, 'region', series.region, 'outcome', series.last_outcome, 'startedMs', (EXTRACT(epoch FROM series.last_started_at) * 1000::numeric)::bigint, 'totalUs', series.last_total_us, 'statusCode', series.last_status_code, 'message', series.last_message, 'failing', series.failing, 'stale', series.stale, 'isConclusive', series.conclusive_at IS NOT NULL, 'freshUntilMs', (EXTRACT(epoch FROM NULLIF(series.fresh_until, 'infinity'::timestamp with time zone)) * 1000::numeric)::bigint)) AS series
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
  WHERE monitor.deleted_at IS NULL`);
    await runner.query(`CREATE VIEW verdict_subject AS
 SELECT monitor.key AS monitor_key,
    monitor.id AS monitor_id,
    monitor.workspace_id,
    monitor.name,
    monitor.monitor_types,
    monitor.monitoring_status = 'enabled'::text AND NOT monitor.checks_held AS is_enabled,
    monitor.enabled_regions,
    monitor.check_interval_ms,
    monitor.checks_before_alert,
    monitor.checks_before_recovery,
    monitor.checks_changed,
    workspace.incident_quorum,
    workspace.auto_close_incidents,
    monitor.url,
    monitor.settings
   FROM monitor
     LEFT JOIN workspace ON workspace.id = monitor.workspace_id
  WHERE monitor.deleted_at IS NULL`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
