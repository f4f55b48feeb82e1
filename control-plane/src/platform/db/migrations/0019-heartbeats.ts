import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Monitors of type Heartbeat: their settings and ping tokens, the state of each, the pings and changes of state, and when this
 * installation could not receive pings.
 */
export class Heartbeats1763900000019 implements Migration {
  readonly name = 'Heartbeats1763900000019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE monitor ALTER COLUMN url DROP NOT NULL, ADD COLUMN heartbeat jsonb;

      CREATE TABLE ping_token (
        monitor_id uuid NOT NULL,
        hash bytea NOT NULL,
        sealed bytea NOT NULL,
        CONSTRAINT ping_token_pkey PRIMARY KEY (monitor_id),
        CONSTRAINT ping_token_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitor (id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX ping_token_hash_key ON ping_token (hash);

      ALTER TABLE incident DROP CONSTRAINT incident_type_check, ADD CONSTRAINT incident_type_check
        CHECK (incident_type IN ('Availability', 'SslExpiry', 'Latency', 'Dns', 'Heartbeat')) NOT VALID;

      -- Only who holds the lock of the monitor's row in monitor_state writes here. No index has a column that pings change, so
      -- that updates stay heap-only.
      CREATE TABLE heartbeat (
        monitor_key bigint PRIMARY KEY CONSTRAINT heartbeat_monitor_fk REFERENCES monitor (key) ON DELETE CASCADE,
        workspace_id uuid NOT NULL,
        counts_from timestamptz(3) NOT NULL,
        last_ping timestamptz(3),
        due_from timestamptz(3),
        succeeded timestamptz(3),
        runs jsonb NOT NULL DEFAULT '[]',
        failure jsonb,
        expected_by timestamptz(3)
      ) WITH (fillfactor = 80);

      CREATE TABLE ping (
        monitor_key bigint NOT NULL,
        at timestamptz(3) NOT NULL,
        seq bigint GENERATED ALWAYS AS IDENTITY,
        kind smallint NOT NULL,
        exit_code smallint,
        rid text,
        runtime_ms bigint,
        remote_address text,
        user_agent text,
        body text,
        CONSTRAINT ping_pkey PRIMARY KEY (monitor_key, at, seq)
      );
      CREATE INDEX ping_at_idx ON ping USING brin (at);

      CREATE TABLE heartbeat_change (
        monitor_key bigint NOT NULL,
        at timestamptz(3) NOT NULL,
        verdict text NOT NULL,
        CONSTRAINT heartbeat_change_pkey PRIMARY KEY (monitor_key, at),
        CONSTRAINT heartbeat_change_verdict_check CHECK (verdict IN ('available', 'unavailable', 'unknown'))
      );

      CREATE TABLE ping_reception (
        id smallint PRIMARY KEY CONSTRAINT ping_reception_one_check CHECK (id = 1),
        received_until timestamptz(3) NOT NULL
      );
      CREATE TABLE ping_outage (
        started timestamptz(3) PRIMARY KEY,
        ended timestamptz(3) NOT NULL
      );
      CREATE INDEX ping_outage_ended_idx ON ping_outage (ended);

      -- For heartbeats: what pings and deadlines of a monitor depend on.
      CREATE VIEW heartbeat_subject AS
      SELECT key AS monitor_key, id AS monitor_id, workspace_id, owner_id, heartbeat AS settings, checks_changed,
        monitoring_status = 'enabled' AS is_enabled
      FROM monitor WHERE heartbeat IS NOT NULL AND deleted_at IS NULL;

      CREATE OR REPLACE VIEW monitor_view AS
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
          monitor.http,
          monitor.ssl,
          monitor.latency,
          monitor.dns,
          monitor.tcp_udp,
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
          CASE WHEN monitor.heartbeat IS NOT NULL THEN (SELECT sealed FROM ping_token WHERE monitor_id = monitor.id) END AS ping_token,
          CASE WHEN monitor.heartbeat IS NOT NULL THEN (SELECT last_ping FROM heartbeat WHERE monitor_key = monitor.key) END AS last_ping,
          CASE WHEN monitor.heartbeat IS NOT NULL THEN (SELECT expected_by FROM heartbeat WHERE monitor_key = monitor.key) END AS expected_by
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
        WHERE monitor.deleted_at IS NULL;

      CREATE OR REPLACE VIEW status_page_monitor AS
      SELECT system.page_id,
          system.id AS system_id,
          member.key AS monitor_key,
          member.monitoring_status,
          state.verdict,
          state.health_status,
          member.monitor_types && ARRAY['HttpAvailability'::text, 'Latency'::text, 'TcpUdp'::text, 'Heartbeat'::text] AS checks_reachability
         FROM status_page_system system
           CROSS JOIN LATERAL ( SELECT monitor.key,
                  monitor.monitoring_status,
                  monitor.monitor_types
                 FROM monitor
                WHERE monitor.id = system.monitor_id AND monitor.deleted_at IS NULL
              UNION ALL
               SELECT monitor.key,
                  monitor.monitoring_status,
                  monitor.monitor_types
                 FROM monitor
                WHERE monitor.service_group_id = system.service_group_id AND monitor.deleted_at IS NULL) member
           LEFT JOIN monitor_state state ON state.monitor_key = member.key;

      CREATE OR REPLACE VIEW status_page_outage AS
      SELECT workspace_id,
          monitor_key,
          id,
          severity,
          started,
          ended,
          COALESCE(worst_severity, severity) AS worst_severity
         FROM incident
        WHERE incident_type = ANY (ARRAY['Availability'::text, 'Heartbeat'::text]);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
