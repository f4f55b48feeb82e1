import type { MigrationInterface, QueryRunner } from 'typeorm';

const SUBJECT = `
  SELECT monitor.key AS monitor_key, monitor.id AS monitor_id, monitor.workspace_id, monitor.name,
    monitor.monitor_types, monitor.monitoring_status = 'enabled' AS is_enabled, monitor.enabled_regions,
    monitor.check_interval_ms, monitor.checks_before_alert, monitor.checks_before_recovery, monitor.checks_changed,
    workspace.incident_quorum, workspace.auto_close_incidents`;
const SUBJECT_FROM = `
  FROM monitor LEFT JOIN workspace ON workspace.id = monitor.workspace_id
  WHERE monitor.deleted_at IS NULL`;

const MONITOR_VIEW = `
  SELECT monitor.key, monitor.id, monitor.workspace_id, monitor.name, monitor.url, monitor.monitor_types,
    monitor.monitoring_status, monitor.check_interval_ms, monitor.check_timeout_ms, monitor.checks_before_alert,
    monitor.checks_before_recovery, monitor.enabled_regions, monitor.service_group_id, monitor.reporting,
    monitor.http, monitor.ssl, monitor.latency, monitor.dns, monitor.tcp_udp, monitor.created,
    monitor.last_modified, monitor.checks_changed, plan.plan, plan.plan_limits, state.health_status,
    standing.standings, latest_incident.latest_incident`;
const MONITOR_VIEW_FROM = `
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
  ) latest_incident ON true`;
const NOT_DELETED = 'WHERE monitor.deleted_at IS NULL';

export class CheckDetails1763700000017 implements MigrationInterface {
  name = 'CheckDetails1763700000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What SSL and DNS checks saw of their target, each certificate or answer once a monitor and day:
      -- nothing of it is ever updated, and retention drops it by the day, as it does results.
      CREATE TABLE check_answer (
        monitor_key bigint NOT NULL,
        -- the day of the checks, its first moment
        day timestamptz(3) NOT NULL,
        -- of the content
        hash uuid NOT NULL,
        content jsonb NOT NULL,
        CONSTRAINT check_answer_pkey PRIMARY KEY (monitor_key, day, hash)
      ) PARTITION BY RANGE (day);

      -- One row an SSL or DNS check that saw something, narrow beside what it points to.
      CREATE TABLE check_detail (
        monitor_key bigint NOT NULL,
        scheduled_at timestamptz(3) NOT NULL,
        hash uuid NOT NULL,
        -- how long the answer itself took; 0 for certificates
        response_us integer NOT NULL,
        kind smallint NOT NULL,
        region smallint NOT NULL,
        -- what is different from the last good answer of the region; null where nothing is
        changes jsonb,
        CONSTRAINT check_detail_pkey PRIMARY KEY (monitor_key, scheduled_at, kind, region)
      ) PARTITION BY RANGE (scheduled_at);

      -- Where the SSL and DNS checks of each monitor and region stand: the latest check that said anything, and
      -- the latest good answer. Late results change nothing here.
      CREATE TABLE check_seen (
        monitor_key bigint NOT NULL,
        kind smallint NOT NULL,
        region smallint NOT NULL,
        -- what was looked at; what is known of another target is worth nothing
        target text NOT NULL,
        checked_at timestamptz(3) NOT NULL,
        started_at timestamptz(3) NOT NULL,
        -- why that check failed; null where it was fine
        message text,
        -- the latest check that saw a certificate, or had a good answer; null before the first
        answered_at timestamptz(3),
        hash uuid,
        answer jsonb,
        CONSTRAINT check_seen_pkey PRIMARY KEY (monitor_key, kind, region)
      ) WITH (fillfactor = 70);

      -- What people have been told of a monitor's certificate and names, so that they hear everything once.
      CREATE TABLE told_change (
        monitor_key bigint CONSTRAINT told_change_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        memory jsonb NOT NULL DEFAULT '{}'
      );

      -- A response slower than this is on the other side of the monitor's latency threshold; null where nobody
      -- asks. is_slow: on which side the verdict believes the window to be.
      ALTER TABLE region_state ADD COLUMN slow_above_us integer, ADD COLUMN is_slow boolean NOT NULL DEFAULT false;

      CREATE OR REPLACE VIEW verdict_subject AS ${SUBJECT}, monitor.url, monitor.ssl, monitor.latency, monitor.dns
      ${SUBJECT_FROM};

      CREATE OR REPLACE VIEW monitor_view AS ${MONITOR_VIEW}, certificate.ssl_status
      ${MONITOR_VIEW_FROM}
      LEFT JOIN LATERAL (
        SELECT jsonb_build_object('region', seen.region, 'message', seen.message,
          'checkedMs', (extract(epoch FROM seen.started_at) * 1000)::bigint,
          'detail', CASE WHEN seen.answered_at = seen.checked_at THEN seen.answer END) AS ssl_status
        FROM check_seen seen
        WHERE 'SslCertificate' = ANY (monitor.monitor_types)
          AND seen.monitor_key = monitor.key AND seen.kind = 2 AND seen.target = monitor.url
        ORDER BY seen.checked_at DESC, seen.region LIMIT 1
      ) certificate ON true
      ${NOT_DELETED};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW monitor_view;
      CREATE VIEW monitor_view AS ${MONITOR_VIEW} ${MONITOR_VIEW_FROM} ${NOT_DELETED};
      DROP VIEW verdict_subject;
      CREATE VIEW verdict_subject AS ${SUBJECT} ${SUBJECT_FROM};
      ALTER TABLE region_state DROP COLUMN slow_above_us, DROP COLUMN is_slow;
      DROP TABLE told_change, check_seen, check_detail, check_answer;
    `);
  }
}
