import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = `
  -- Lower-cased, without duplicates, in alphabetical order.
  ALTER TABLE monitor ADD COLUMN tags text[] NOT NULL DEFAULT '{}';

  -- The workspace is a key beside the tags, so that a tag that many workspaces use is found in one of them.
  CREATE INDEX monitor_tag_idx ON monitor USING gin (array_prepend(workspace_id::text, tags))
    WHERE deleted_at IS NULL AND tags <> '{}';

  CREATE OR REPLACE VIEW monitor_view AS
  SELECT monitor.key, monitor.id, monitor.workspace_id, monitor.name, monitor.url, monitor.monitor_types,
    monitor.monitoring_status, monitor.check_interval_ms, monitor.check_timeout_ms, monitor.checks_before_alert,
    monitor.checks_before_recovery, monitor.enabled_regions, monitor.service_group_id, monitor.reporting,
    monitor.http, monitor.ssl, monitor.latency, monitor.dns, monitor.tcp_udp, monitor.created,
    monitor.last_modified, monitor.checks_changed, plan.plan, plan.plan_limits, state.health_status,
    states.series, latest_incident.latest_incident, certificate.ssl_status, monitor.tags
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
`;

/** Gives monitors tags. */
export class MonitorTags1763900000002 implements MigrationInterface {
  name = 'MonitorTags1763900000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
