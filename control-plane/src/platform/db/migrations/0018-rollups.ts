import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Rollups1763700000018 implements MigrationInterface {
  name = 'Rollups1763700000018';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What the results of a monitor, kind and region said in an hour: a function of the rows of that hour and of
      -- nothing else, so that it can be made again whenever one of them comes late. Durations are sums over the
      -- successful checks. The bytea are of results/rollup/span-codec.ts and results/rollup/histogram.ts; those of
      -- several buckets are put together by stringing them together.
      CREATE TABLE check_rollup (
        monitor_key bigint NOT NULL,
        starts_at timestamptz(3) NOT NULL,
        total_us bigint NOT NULL,
        dns_us bigint NOT NULL,
        connect_us bigint NOT NULL,
        tls_us bigint NOT NULL,
        first_byte_us bigint NOT NULL,
        transfer_us bigint NOT NULL,
        up integer NOT NULL,
        down integer NOT NULL,
        inconclusive integer NOT NULL,
        -- of the total; 0 where nothing was up
        min_us integer NOT NULL,
        max_us integer NOT NULL,
        kind smallint NOT NULL,
        region smallint NOT NULL,
        spans bytea NOT NULL,
        histogram bytea NOT NULL,
        CONSTRAINT check_rollup_pkey PRIMARY KEY (monitor_key, starts_at, kind, region)
      ) WITH (fillfactor = 95);
      -- For what is past its time; next to nothing to keep.
      CREATE INDEX check_rollup_starts_idx ON check_rollup USING brin (starts_at);

      -- The same by day (UTC), made of the hours.
      CREATE TABLE check_rollup_day (LIKE check_rollup INCLUDING STORAGE, CONSTRAINT check_rollup_day_pkey
        PRIMARY KEY (monitor_key, starts_at, kind, region)) WITH (fillfactor = 95);

      -- Buckets of which the rollup, if there is one, must not be believed: read the rows, or the hours of a day.
      -- Marked in the transaction that writes what the rollup does not know, unmarked in the one that makes it anew.
      CREATE TABLE rollup_mark (
        monitor_key bigint NOT NULL,
        starts_at timestamptz(3) NOT NULL,
        is_day boolean NOT NULL,
        CONSTRAINT rollup_mark_pkey PRIMARY KEY (monitor_key, starts_at, is_day)
      ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

      -- Every hour before closed_until is in the rollups or marked; of later ones only the rows count. Null: all of them.
      CREATE TABLE rollup_progress (
        is_only boolean NOT NULL DEFAULT true CONSTRAINT rollup_progress_pkey PRIMARY KEY,
        closed_until timestamptz(3),
        CONSTRAINT rollup_progress_only_check CHECK (is_only)
      );
      INSERT INTO rollup_progress DEFAULT VALUES;

      -- Whose results are rolled up: the deleted too, as long as they can come back.
      CREATE VIEW rollup_subject AS SELECT monitor.key AS monitor_key FROM monitor;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP VIEW rollup_subject; DROP TABLE rollup_progress, rollup_mark, check_rollup_day, check_rollup',
    );
  }
}
