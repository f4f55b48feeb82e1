import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Results1763700000004 implements MigrationInterface {
  name = 'Results1763700000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row a check. Fixed-width and NOT NULL throughout, wide columns first: no null bitmap, no padding.
      -- kind and outcome as in shared/src; region as in shared/src/region.ts; 0 stands for "none".
      CREATE TABLE check_result (
        monitor_key bigint NOT NULL,
        scheduled_at timestamptz(3) NOT NULL,
        start_lag_ms integer NOT NULL,
        total_us integer NOT NULL,
        dns_us integer NOT NULL,
        connect_us integer NOT NULL,
        tls_us integer NOT NULL,
        first_byte_us integer NOT NULL,
        transfer_us integer NOT NULL,
        fresh_ms integer NOT NULL,
        agent_key integer NOT NULL,
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

      -- Where each monitor stands in each region, updated in place with every result: narrow, and room
      -- on the page for heap-only updates.
      CREATE TABLE region_state (
        monitor_key bigint NOT NULL,
        last_scheduled_at timestamptz(3) NOT NULL,
        last_started_at timestamptz(3) NOT NULL,
        -- last result that said anything about the target, and until when it speaks for the region
        conclusive_at timestamptz(3),
        fresh_until timestamptz(3),
        last_total_us integer NOT NULL,
        -- conclusive results in a row with the outcome streak_outcome
        streak integer NOT NULL,
        kind smallint NOT NULL,
        region smallint NOT NULL,
        last_outcome smallint NOT NULL,
        streak_outcome smallint NOT NULL,
        last_status_code smallint NOT NULL,
        -- decided: N failures in a row make it true, M successes false
        failing boolean NOT NULL DEFAULT false,
        -- healthy, decided, nothing new to decide until a result says otherwise
        settled boolean NOT NULL DEFAULT false,
        stale boolean NOT NULL DEFAULT false,
        last_message text,
        CONSTRAINT region_state_pkey PRIMARY KEY (monitor_key, kind, region)
      ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
      CREATE INDEX region_state_fresh_idx ON region_state (fresh_until) WHERE NOT stale;

      -- The verdict on each monitor; its row is what is locked while a verdict is decided.
      CREATE TABLE monitor_state (
        monitor_key bigint CONSTRAINT monitor_state_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        health_status text,
        verdict text NOT NULL DEFAULT 'unknown',
        verdict_since timestamptz(3) NOT NULL,
        -- the pure function's memory, see results/decide-verdict.ts
        memory jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT monitor_state_verdict_check CHECK (verdict IN ('available', 'partial', 'unavailable', 'unknown')),
        CONSTRAINT monitor_state_health_check CHECK (health_status IN ('available', 'unavailable', 'degraded'))
      ) WITH (fillfactor = 80);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE monitor_state, region_state, check_failure, check_result');
  }
}
