import type { MigrationInterface, QueryRunner } from 'typeorm';

const view = (word: string) => `
  SELECT monitor.key, monitor.id, monitor.workspace_id, monitor.name, monitor.url, monitor.monitor_types,
    monitor.monitoring_status, monitor.check_interval_ms, monitor.check_timeout_ms, monitor.checks_before_alert,
    monitor.checks_before_recovery, monitor.enabled_regions, monitor.service_group_id, monitor.reporting,
    monitor.http, monitor.ssl, monitor.latency, monitor.dns, monitor.tcp_udp, monitor.created,
    monitor.last_modified, monitor.checks_changed, plan.plan, plan.plan_limits, state.health_status,
    standing.standings, latest_incident.latest_incident, certificate.ssl_status
  FROM monitor
  JOIN workspace_plan plan ON plan.workspace_id = monitor.workspace_id
  LEFT JOIN monitor_state state ON state.monitor_key = monitor.key
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object(
      'kind', region_state.kind, 'region', region_state.region, 'outcome', region_state.last_outcome,
      'startedMs', (extract(epoch FROM region_state.last_started_at) * 1000)::bigint,
      'totalUs', region_state.last_total_us, 'statusCode', region_state.last_status_code,
      'message', region_state.last_message, 'failing', region_state.failing, 'stale', region_state.stale,
      ${word},
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
  LEFT JOIN LATERAL (
    SELECT jsonb_build_object('region', seen.region, 'message', seen.message,
      'checkedMs', (extract(epoch FROM seen.started_at) * 1000)::bigint,
      'detail', CASE WHEN seen.answered_at = seen.checked_at THEN seen.answer END) AS ssl_status
    FROM check_seen seen
    WHERE 'SslCertificate' = ANY (monitor.monitor_types)
      AND seen.monitor_key = monitor.key AND seen.kind = 2 AND seen.target = monitor.url
    ORDER BY seen.checked_at DESC, seen.region LIMIT 1
  ) certificate ON true
  WHERE monitor.deleted_at IS NULL`;

export class ConclusiveStandings1763700000030 implements MigrationInterface {
  name = 'ConclusiveStandings1763700000030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A check that was paused or silent has a last result, and nothing that is known of it since: it is not awaited.
      CREATE OR REPLACE VIEW monitor_view AS ${view("'isConclusive', region_state.conclusive_at IS NOT NULL")};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE VIEW monitor_view AS ${view("'isAwaited', region_state.failing IS NULL")}`);
  }
}
