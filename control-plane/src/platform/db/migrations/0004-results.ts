import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Results1763700000004 implements MigrationInterface {
  name = 'Results1763700000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row a check. Fixed-width and NOT NULL throughout, wide columns first: no null bitmap, no padding,
      -- 80 bytes with the header. kind and outcome as in shared/src; region as in shared/src/region.ts;
      -- 0 stands for "none". Partitions are made and dropped by results/ingest/partition-store.ts.
      CREATE TABLE check_result (
        monitor_key bigint NOT NULL,
        scheduled_at timestamptz(3) NOT NULL,
        total_us integer NOT NULL,
        dns_us integer NOT NULL,
        connect_us integer NOT NULL,
        tls_us integer NOT NULL,
        first_byte_us integer NOT NULL,
        transfer_us integer NOT NULL,
        agent_key integer NOT NULL,
        -- started minus scheduled, held at the type's bounds: what is later than 32 s is inconclusive anyway
        start_lag_ms smallint NOT NULL,
        -- how long the result speaks for its region, rounded up
        fresh_s smallint NOT NULL,
        status_code smallint NOT NULL,
        kind smallint NOT NULL,
        region smallint NOT NULL,
        outcome smallint NOT NULL,
        CONSTRAINT check_result_pkey PRIMARY KEY (monitor_key, scheduled_at, kind, region)
      ) PARTITION BY RANGE (scheduled_at);

      -- What a person needs to believe a failure: only for results that are not up.
      CREATE TABLE check_failure (
        monitor_key bigint NOT NULL,
        scheduled_at timestamptz(3) NOT NULL,
        kind smallint NOT NULL,
        region smallint NOT NULL,
        phase text NOT NULL,
        reason text NOT NULL,
        message text NOT NULL,
        address text,
        loop_lag_us integer NOT NULL,
        evidence jsonb,
        CONSTRAINT check_failure_pkey PRIMARY KEY (monitor_key, scheduled_at, kind, region)
      ) PARTITION BY RANGE (scheduled_at);

      -- Where each monitor stands in each region, updated in place with every result: narrow, room on the
      -- page for heap-only updates, and no index on anything that a result changes. The row is made with
      -- the monitor, so that a region from which nobody ever reports is noticed too.
      CREATE TABLE region_state (
        monitor_key bigint NOT NULL,
        -- results scheduled before this say nothing about what is checked now; infinity while nothing is
        counts_from timestamptz(3) NOT NULL,
        -- the newest result of any outcome; null before the first
        last_scheduled_at timestamptz(3),
        last_started_at timestamptz(3),
        -- when the last result that said anything about the target was due
        conclusive_at timestamptz(3),
        -- until when it speaks for the region; before the first result, until when that is awaited
        fresh_until timestamptz(3),
        -- when the first result of the streak was due
        streak_since timestamptz(3),
        last_total_us integer NOT NULL DEFAULT 0,
        -- conclusive results in a row with the outcome streak_outcome
        streak integer NOT NULL DEFAULT 0,
        kind smallint NOT NULL,
        region smallint NOT NULL,
        last_outcome smallint NOT NULL DEFAULT 0,
        streak_outcome smallint NOT NULL DEFAULT 0,
        last_status_code smallint NOT NULL DEFAULT 0,
        -- numberOfChecksBeforeAlert and numberOfChecksBeforeRecovery
        alert_after smallint NOT NULL,
        recover_after smallint NOT NULL,
        -- decided: alert_after failures in a row make it true, recover_after successes false again; null before
        -- the first success or so many failures
        failing boolean,
        -- the verdict knows all of this row; untrue as soon as failing or freshness moves
        settled boolean NOT NULL DEFAULT false,
        -- fresh_until has passed and the verdict knows
        stale boolean NOT NULL DEFAULT false,
        last_message text,
        CONSTRAINT region_state_pkey PRIMARY KEY (monitor_key, kind, region)
      ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);

      -- The verdict on each monitor; its row is what is locked while a verdict is decided.
      CREATE TABLE monitor_state (
        monitor_key bigint CONSTRAINT monitor_state_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        health_status text,
        verdict text NOT NULL DEFAULT 'unknown',
        verdict_since timestamptz(3) NOT NULL,
        -- when it must be decided again although no result calls for it; null: never
        decide_at timestamptz(3),
        -- the pure function's memory, see results/verdict/decide-verdict.ts
        memory jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT monitor_state_verdict_check CHECK (verdict IN ('available', 'partial', 'unavailable', 'unknown')),
        CONSTRAINT monitor_state_health_check CHECK (health_status IN ('available', 'unavailable', 'degraded'))
      ) WITH (fillfactor = 80);
      CREATE INDEX monitor_state_decide_idx ON monitor_state (decide_at) WHERE decide_at IS NOT NULL;
      CREATE INDEX monitor_state_workspace_idx ON monitor_state (workspace_id);

      -- What ingest and verdict need to know of a monitor and its workspace.
      CREATE VIEW verdict_subject AS
      SELECT monitor.key AS monitor_key, monitor.id AS monitor_id, monitor.workspace_id, monitor.name,
        monitor.monitor_types, monitor.monitoring_status = 'enabled' AS is_enabled, monitor.enabled_regions,
        monitor.check_interval_ms, monitor.checks_before_alert, monitor.checks_before_recovery, monitor.checks_changed,
        workspace.incident_quorum, workspace.auto_close_incidents
      -- unique on the right side of an outer join: the planner leaves the workspace out where nobody asks for it
      FROM monitor LEFT JOIN workspace ON workspace.id = monitor.workspace_id
      WHERE monitor.deleted_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP VIEW verdict_subject; DROP TABLE monitor_state, region_state, check_failure, check_result',
    );
  }
}
