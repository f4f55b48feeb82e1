import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The packed columns, in the order of their frames. figures/packing/encode-column.ts and pack-series.ts write them. */
const COLUMNS = [
  'slot',
  'extra_us',
  'dns_us',
  'connect_us',
  'tls_us',
  'first_byte_us',
  'transfer_us',
  'agent_key',
  'start_lag_ms',
  'fresh_s',
  'status_code',
  'outcome',
] as const;

/** The fields of a frame, with their first bit and their length. */
const FIELDS = [
  ['usual_width', 0, 8],
  ['rare_width', 8, 8],
  ['rare', 16, 16],
  ['usual_base', 32, 32],
  ['rare_base', 64, 32],
] as const;
const FRAME_BITS = 96;

const list = (write: (column: string, index: number) => string) => COLUMNS.map(write).join(',\n          ');
const padded = (bits: string) => `(${bits} + 7) / 8 * 8`;

/**
 * The value of a column at a position. The section of a column has one bit per result that marks rare values, unless
 * there are none; then the usual values, then the rare ones, each with the width and the base of its frame. The sections
 * begin at whole bytes, where `substring` copies instead of shifting.
 */
const PACKED_VALUE = `
  CREATE FUNCTION packed_value(bits bit varying, "position" integer, rare integer, choices_at integer, usual_at integer,
    usual_width integer, usual_base integer, rare_at integer, rare_width integer, rare_base integer) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
      WHEN rare = 0 THEN usual_base + substring(bits, usual_at + "position" * usual_width + 1, usual_width)::bigint
      WHEN get_bit(bits, choices_at + "position") = 0 THEN usual_base + substring(bits,
        usual_at + ("position" - bit_count(substring(bits, choices_at + 1, "position"))::integer) * usual_width + 1, usual_width)::bigint
      ELSE rare_base + substring(bits,
        rare_at + bit_count(substring(bits, choices_at + 1, "position"))::integer * rare_width + 1, rare_width)::bigint
    END $$`;

const valueOf = (column: string) =>
  `packed_value(stored.bits, "position", frame.${column}_rare, place.${column}_choices, place.${column}_usual,
            frame.${column}_usual_width, frame.${column}_usual_base, place.${column}_rare, frame.${column}_rare_width, frame.${column}_rare_base) AS ${column}`;

/**
 * The results in packed series, as rows. What is behind OFFSET 0 is computed once per series, or once per result. Only
 * positions that can lie between the bounds are computed: a position is that many steps from the first result, plus the
 * slots without a result before it.
 */
const UNPACK = `
    SELECT packed.monitor_key,
      (packed.starts_at + (result."position" + result.slot) * packed.step_ms * interval '1 ms')::timestamptz(3),
      -- the sum modulo 2^32, as it was packed
      (((result.extra_us + result.dns_us + result.connect_us + result.tls_us + result.first_byte_us + result.transfer_us
        + 2147483648) & 4294967295) - 2147483648)::integer,
      result.dns_us::integer, result.connect_us::integer, result.tls_us::integer, result.first_byte_us::integer,
      result.transfer_us::integer, result.agent_key::integer, result.start_lag_ms::smallint, result.fresh_s::smallint,
      result.status_code::smallint, packed.kind, packed.region, result.outcome::smallint
    FROM packed_result packed
      CROSS JOIN LATERAL (SELECT packed.bits || B'' AS bits OFFSET 0) AS stored
      CROSS JOIN LATERAL (
        SELECT ${list((column, index) =>
          FIELDS.map(
            ([field, first, length]) =>
              `substring(stored.bits, ${index * FRAME_BITS + first + 1}, ${length})::integer AS ${column}_${field}`,
          ).join(', '),
        )}
        OFFSET 0) AS frame
      CROSS JOIN LATERAL (
        SELECT ${list(
          (column) =>
            `CASE WHEN frame.${column}_rare > 0 THEN ${padded('packed.results')} ELSE 0 END AS ${column}_choices,
            ${padded(`(packed.results - frame.${column}_rare) * frame.${column}_usual_width`)} AS ${column}_usual,
            ${padded(`frame.${column}_rare * frame.${column}_rare_width`)} AS ${column}_rare`,
        )}
        OFFSET 0) AS length
      CROSS JOIN LATERAL (
        SELECT ${list((column, index) => {
          const before = COLUMNS.slice(0, index).map(
            (name) => `length.${name}_choices + length.${name}_usual + length.${name}_rare`,
          );
          const at = [COLUMNS.length * FRAME_BITS, ...before].join(' + ');
          return `${at} AS ${column}_choices, ${at} + length.${column}_choices AS ${column}_usual,
            ${at} + length.${column}_choices + length.${column}_usual AS ${column}_rare`;
        })}
        OFFSET 0) AS place
      CROSS JOIN LATERAL (
        SELECT (date_part('epoch', packed.ends_at - packed.starts_at) * 1000)::bigint / packed.step_ms - packed.results + 1 AS gaps,
          date_part('epoch', greatest(from_at, packed.starts_at) - packed.starts_at) * 1000 / packed.step_ms AS first_slot,
          date_part('epoch', least(to_at, packed.ends_at + interval '1 ms') - packed.starts_at) * 1000 / packed.step_ms AS end_slot
        OFFSET 0) AS bound
      CROSS JOIN LATERAL generate_series(
        greatest(0, ceil(bound.first_slot) - bound.gaps)::integer,
        least(packed.results - 1, ceil(bound.end_slot) - 1)::integer) AS "position"
      CROSS JOIN LATERAL (
        SELECT "position", ${list(valueOf)}
        OFFSET 0) AS result
    WHERE packed.monitor_key = ANY (monitor_keys) AND packed.starts_at < packed_before
      AND packed.starts_at >= date_trunc('day', from_at, 'UTC') AND packed.starts_at < to_at AND packed.ends_at >= from_at
      AND packed.starts_at + (result."position" + result.slot) * packed.step_ms * interval '1 ms' >= from_at
      AND packed.starts_at + (result."position" + result.slot) * packed.step_ms * interval '1 ms' < to_at`;

const ARGUMENTS = 'monitor_keys bigint[], from_at timestamptz, to_at timestamptz';
/** figures/packing/packing-lock.ts */
const PACKING_LOCK = 7_761_003;

/** Results of days that are over, packed by series. */
export class PackedResults1763900000022 implements Migration {
  readonly name = 'PackedResults1763900000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The results of a series on a day: several rows where it has thousands. docs/decisions/0054 describes the encoding.
      -- The packer creates the partitions.
      CREATE TABLE packed_result (
        monitor_key bigint NOT NULL,
        -- The scheduled times of the first and the last result.
        starts_at timestamptz(3) NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        -- All scheduled times are whole steps after the first.
        step_ms integer NOT NULL,
        results smallint NOT NULL,
        kind smallint NOT NULL,
        region smallint NOT NULL,
        bits bit varying NOT NULL,
        CONSTRAINT packed_result_pkey PRIMARY KEY (monitor_key, starts_at, kind, region)
      ) PARTITION BY RANGE (starts_at);
      -- The bits look random to a compressor.
      ALTER TABLE packed_result ALTER COLUMN bits SET STORAGE EXTERNAL;

      -- One row. Days before packed_until are packed: their partitions of check_result contain late results only.
      CREATE TABLE packing_progress (
        is_only boolean NOT NULL DEFAULT true CONSTRAINT packing_progress_pkey PRIMARY KEY,
        packed_until timestamptz(3),
        -- The start of the day that is being packed. Its packed results are not read yet.
        day timestamptz(3),
        -- Its monitors up to this key are packed; 0 when all are.
        after_key bigint NOT NULL DEFAULT 0,
        -- When its last monitor was packed; null before.
        complete_at timestamptz(3),
        CONSTRAINT packing_progress_only_check CHECK (is_only)
      );
      INSERT INTO packing_progress DEFAULT VALUES;

      -- Monitors of which results were written on a day while it was being packed or after that. Without a key, so that
      -- writers never wait for each other; the packer merges the results and deletes the rows.
      CREATE TABLE late_result (
        monitor_key bigint NOT NULL,
        day timestamptz(3) NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
    `);
    await runner.query(PACKED_VALUE);
    await runner.query(`
      -- Packed results in [from_at, to_at). PL/pgSQL keeps the plan, which takes longer to make than a day takes to read.
      CREATE FUNCTION unpacked_result(${ARGUMENTS}, packed_before timestamptz) RETURNS SETOF check_result
      LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE ROWS 50 SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN QUERY${UNPACK};
      END $$`);
    await runner.query(`
      -- The results of these monitors in [from_at, to_at), in rows or packed: what everything reads. One SELECT, not volatile,
      -- not strict: the planner puts it in the place of the call. The rows are therefore locked before the snapshot is
      -- taken that decides whether they or the packed results of a day are read.
      CREATE FUNCTION result_row(${ARGUMENTS}) RETURNS SETOF check_result LANGUAGE sql STABLE PARALLEL SAFE AS $$
        SELECT * FROM check_result
        WHERE monitor_key = ANY (monitor_keys) AND scheduled_at >= from_at AND scheduled_at < to_at
        UNION ALL
        SELECT * FROM unpacked_result(monitor_keys, from_at, to_at, (SELECT packed_until FROM packing_progress))
        WHERE from_at < (SELECT packed_until FROM packing_progress) $$`);
    await runner.query(`
      -- On partitions of days that are being packed or are packed. A result that is packed is not stored again.
      CREATE FUNCTION note_late_result() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- The packer waits for this transaction before it merges late results, and this one for the packer.
        PERFORM pg_advisory_xact_lock_shared(${PACKING_LOCK});
        IF TG_OP = 'INSERT' AND EXISTS (
          SELECT FROM unpacked_result(ARRAY[NEW.monitor_key], NEW.scheduled_at, NEW.scheduled_at + interval '1 ms', 'infinity') packed
          WHERE packed.kind = NEW.kind AND packed.region = NEW.region
        ) THEN
          RETURN NULL;
        END IF;
        INSERT INTO late_result (monitor_key, day) VALUES (NEW.monitor_key, date_trunc('day', NEW.scheduled_at, 'UTC'));
        RETURN NEW;
      END $$`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
