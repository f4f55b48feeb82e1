import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Trust1763700000021 implements MigrationInterface {
  name = 'Trust1763700000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Times in which a region's failures were not believed. The open one of a region is its state, for every process.
      CREATE TABLE region_suspicion (
        id uuid CONSTRAINT region_suspicion_pkey PRIMARY KEY,
        region smallint NOT NULL,
        reason text NOT NULL,
        -- failures due from here on say nothing about their targets
        onset timestamptz(3) NOT NULL,
        noticed timestamptz(3) NOT NULL,
        -- since when it looks as if it were over; null: it does not
        calm_since timestamptz(3),
        ended timestamptz(3),
        facts jsonb NOT NULL,
        CONSTRAINT region_suspicion_reason_check CHECK (reason IN ('correlated_failures', 'blind_agents'))
      );
      CREATE UNIQUE INDEX region_suspicion_open_key ON region_suspicion (region) WHERE ended IS NULL;
      CREATE INDEX region_suspicion_ended_idx ON region_suspicion (region, ended);

      -- How much a region checks, counted every minute: whether it is big enough for failures to correlate.
      CREATE TABLE region_load (
        region smallint CONSTRAINT region_load_pkey PRIMARY KEY,
        sites integer NOT NULL,
        counted timestamptz(3) NOT NULL
      );

      -- What operators are told, and customers are not.
      CREATE TABLE operator_notice (
        id uuid CONSTRAINT operator_notice_pkey PRIMARY KEY,
        created timestamptz(3) NOT NULL,
        kind text NOT NULL,
        region text,
        message text NOT NULL,
        detail jsonb NOT NULL
      );
      CREATE INDEX operator_notice_created_idx ON operator_notice (created);

      -- One confirming run a streak of failures, kept apart from results and counted nowhere.
      CREATE TABLE second_opinion (
        monitor_key bigint NOT NULL,
        kind smallint NOT NULL,
        -- where it failed, and since when
        region smallint NOT NULL,
        streak_since timestamptz(3) NOT NULL,
        asked timestamptz(3) NOT NULL,
        -- who was asked; null until somebody was found
        asked_region smallint,
        answered timestamptz(3),
        -- as in check_result; null without an answer, and then refusal says why
        outcome smallint,
        result jsonb,
        refusal text,
        CONSTRAINT second_opinion_pkey PRIMARY KEY (monitor_key, kind, region, streak_since)
      );
      CREATE INDEX second_opinion_asked_idx ON second_opinion (asked);

      -- What an agent says of its own network.
      ALTER TABLE agent ADD COLUMN sight text NOT NULL DEFAULT 'unknown',
        ADD CONSTRAINT agent_sight_check CHECK (sight IN ('unknown', 'seeing', 'blind'));
      CREATE VIEW agent_sight AS SELECT region, sight, last_seen FROM agent WHERE status <> 'revoked';

      -- What stands behind a URL, so that many addresses of one owner do not pass for many owners: an IP address,
      -- or the last two labels of a name (three under such as co.uk).
      CREATE FUNCTION site_of_url(url text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT CASE WHEN host ~ '^[0-9.]+$' OR host ~ ':' THEN host
          ELSE coalesce(substring(host FROM '[^.]+\\.(?:co|com|net|org|ac|gov|edu|or|ne|go)\\.[^.]{2}$'), substring(host FROM '[^.]+\\.[^.]+$'), host) END
        FROM (SELECT lower(coalesce(substring(url FROM '^[A-Za-z]+://\\[([^\\]]*)\\]'),
          substring(url FROM '^(?:[A-Za-z]+://)?([^/:?#]+)'), url)) AS host) AS parsed
      $$;
      CREATE VIEW suspicion_subject AS
      SELECT key AS monitor_key, workspace_id, site_of_url(url) AS site FROM monitor WHERE deleted_at IS NULL;

      -- What results of a monitor may claim: kinds as in shared/src/check.ts, and for how long one may speak.
      CREATE VIEW check_allowance AS
      SELECT key AS monitor_key, 2 * check_interval_ms + check_timeout_ms AS fresh_ms,
        ARRAY(SELECT CASE type WHEN 'HttpAvailability' THEN 1 WHEN 'Latency' THEN 1 WHEN 'SslCertificate' THEN 2
          WHEN 'Dns' THEN 3 WHEN 'TcpUdp' THEN 4 END FROM unnest(monitor_types) AS type) AS kinds
      FROM monitor;
      ALTER TABLE region_state ADD COLUMN fresh_most_ms integer NOT NULL DEFAULT 7260000;
      UPDATE region_state SET fresh_most_ms = fresh_ms FROM check_allowance
      WHERE check_allowance.monitor_key = region_state.monitor_key;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE region_state DROP COLUMN fresh_most_ms;
      DROP VIEW check_allowance, suspicion_subject, agent_sight;
      DROP FUNCTION site_of_url;
      ALTER TABLE agent DROP COLUMN sight;
      DROP TABLE second_opinion, operator_notice, region_load, region_suspicion;
    `);
  }
}
