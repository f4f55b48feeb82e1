export const packingTables = `
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
  CREATE INDEX late_result_day_idx ON late_result (day, monitor_key);
`;

export const packingTriggers = `
  CREATE FUNCTION packed_value(bits bit varying, "position" integer, rare integer, choices_at integer, usual_at integer,
    usual_width integer, usual_base integer, rare_at integer, rare_width integer, rare_base integer) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
      WHEN rare = 0 THEN usual_base + substring(bits, usual_at + "position" * usual_width + 1, usual_width)::bigint
      WHEN get_bit(bits, choices_at + "position") = 0 THEN usual_base + substring(bits,
        usual_at + ("position" - bit_count(substring(bits, choices_at + 1, "position"))::integer) * usual_width + 1, usual_width)::bigint
      ELSE rare_base + substring(bits,
        rare_at + bit_count(substring(bits, choices_at + 1, "position"))::integer * rare_width + 1, rare_width)::bigint
    END $$;

  -- Packed results in [from_at, to_at). PL/pgSQL keeps the plan, which takes longer to make than a day takes to read.
    CREATE FUNCTION unpacked_result(monitor_keys bigint[], from_at timestamptz, to_at timestamptz, packed_before timestamptz) RETURNS SETOF check_result
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE ROWS 50 SET plan_cache_mode = force_generic_plan AS $$
    BEGIN
      RETURN QUERY
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
      SELECT substring(stored.bits, 1, 8)::integer AS slot_usual_width, substring(stored.bits, 9, 8)::integer AS slot_rare_width, substring(stored.bits, 17, 16)::integer AS slot_rare, substring(stored.bits, 33, 32)::integer AS slot_usual_base, substring(stored.bits, 65, 32)::integer AS slot_rare_base,
        substring(stored.bits, 97, 8)::integer AS extra_us_usual_width, substring(stored.bits, 105, 8)::integer AS extra_us_rare_width, substring(stored.bits, 113, 16)::integer AS extra_us_rare, substring(stored.bits, 129, 32)::integer AS extra_us_usual_base, substring(stored.bits, 161, 32)::integer AS extra_us_rare_base,
        substring(stored.bits, 193, 8)::integer AS dns_us_usual_width, substring(stored.bits, 201, 8)::integer AS dns_us_rare_width, substring(stored.bits, 209, 16)::integer AS dns_us_rare, substring(stored.bits, 225, 32)::integer AS dns_us_usual_base, substring(stored.bits, 257, 32)::integer AS dns_us_rare_base,
        substring(stored.bits, 289, 8)::integer AS connect_us_usual_width, substring(stored.bits, 297, 8)::integer AS connect_us_rare_width, substring(stored.bits, 305, 16)::integer AS connect_us_rare, substring(stored.bits, 321, 32)::integer AS connect_us_usual_base, substring(stored.bits, 353, 32)::integer AS connect_us_rare_base,
        substring(stored.bits, 385, 8)::integer AS tls_us_usual_width, substring(stored.bits, 393, 8)::integer AS tls_us_rare_width, substring(stored.bits, 401, 16)::integer AS tls_us_rare, substring(stored.bits, 417, 32)::integer AS tls_us_usual_base, substring(stored.bits, 449, 32)::integer AS tls_us_rare_base,
        substring(stored.bits, 481, 8)::integer AS first_byte_us_usual_width, substring(stored.bits, 489, 8)::integer AS first_byte_us_rare_width, substring(stored.bits, 497, 16)::integer AS first_byte_us_rare, substring(stored.bits, 513, 32)::integer AS first_byte_us_usual_base, substring(stored.bits, 545, 32)::integer AS first_byte_us_rare_base,
        substring(stored.bits, 577, 8)::integer AS transfer_us_usual_width, substring(stored.bits, 585, 8)::integer AS transfer_us_rare_width, substring(stored.bits, 593, 16)::integer AS transfer_us_rare, substring(stored.bits, 609, 32)::integer AS transfer_us_usual_base, substring(stored.bits, 641, 32)::integer AS transfer_us_rare_base,
        substring(stored.bits, 673, 8)::integer AS agent_key_usual_width, substring(stored.bits, 681, 8)::integer AS agent_key_rare_width, substring(stored.bits, 689, 16)::integer AS agent_key_rare, substring(stored.bits, 705, 32)::integer AS agent_key_usual_base, substring(stored.bits, 737, 32)::integer AS agent_key_rare_base,
        substring(stored.bits, 769, 8)::integer AS start_lag_ms_usual_width, substring(stored.bits, 777, 8)::integer AS start_lag_ms_rare_width, substring(stored.bits, 785, 16)::integer AS start_lag_ms_rare, substring(stored.bits, 801, 32)::integer AS start_lag_ms_usual_base, substring(stored.bits, 833, 32)::integer AS start_lag_ms_rare_base,
        substring(stored.bits, 865, 8)::integer AS fresh_s_usual_width, substring(stored.bits, 873, 8)::integer AS fresh_s_rare_width, substring(stored.bits, 881, 16)::integer AS fresh_s_rare, substring(stored.bits, 897, 32)::integer AS fresh_s_usual_base, substring(stored.bits, 929, 32)::integer AS fresh_s_rare_base,
        substring(stored.bits, 961, 8)::integer AS status_code_usual_width, substring(stored.bits, 969, 8)::integer AS status_code_rare_width, substring(stored.bits, 977, 16)::integer AS status_code_rare, substring(stored.bits, 993, 32)::integer AS status_code_usual_base, substring(stored.bits, 1025, 32)::integer AS status_code_rare_base,
        substring(stored.bits, 1057, 8)::integer AS outcome_usual_width, substring(stored.bits, 1065, 8)::integer AS outcome_rare_width, substring(stored.bits, 1073, 16)::integer AS outcome_rare, substring(stored.bits, 1089, 32)::integer AS outcome_usual_base, substring(stored.bits, 1121, 32)::integer AS outcome_rare_base
      OFFSET 0) AS frame
    CROSS JOIN LATERAL (
      SELECT CASE WHEN frame.slot_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS slot_choices,
          ((packed.results - frame.slot_rare) * frame.slot_usual_width + 7) / 8 * 8 AS slot_usual,
          (frame.slot_rare * frame.slot_rare_width + 7) / 8 * 8 AS slot_rare,
        CASE WHEN frame.extra_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS extra_us_choices,
          ((packed.results - frame.extra_us_rare) * frame.extra_us_usual_width + 7) / 8 * 8 AS extra_us_usual,
          (frame.extra_us_rare * frame.extra_us_rare_width + 7) / 8 * 8 AS extra_us_rare,
        CASE WHEN frame.dns_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS dns_us_choices,
          ((packed.results - frame.dns_us_rare) * frame.dns_us_usual_width + 7) / 8 * 8 AS dns_us_usual,
          (frame.dns_us_rare * frame.dns_us_rare_width + 7) / 8 * 8 AS dns_us_rare,
        CASE WHEN frame.connect_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS connect_us_choices,
          ((packed.results - frame.connect_us_rare) * frame.connect_us_usual_width + 7) / 8 * 8 AS connect_us_usual,
          (frame.connect_us_rare * frame.connect_us_rare_width + 7) / 8 * 8 AS connect_us_rare,
        CASE WHEN frame.tls_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS tls_us_choices,
          ((packed.results - frame.tls_us_rare) * frame.tls_us_usual_width + 7) / 8 * 8 AS tls_us_usual,
          (frame.tls_us_rare * frame.tls_us_rare_width + 7) / 8 * 8 AS tls_us_rare,
        CASE WHEN frame.first_byte_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS first_byte_us_choices,
          ((packed.results - frame.first_byte_us_rare) * frame.first_byte_us_usual_width + 7) / 8 * 8 AS first_byte_us_usual,
          (frame.first_byte_us_rare * frame.first_byte_us_rare_width + 7) / 8 * 8 AS first_byte_us_rare,
        CASE WHEN frame.transfer_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS transfer_us_choices,
          ((packed.results - frame.transfer_us_rare) * frame.transfer_us_usual_width + 7) / 8 * 8 AS transfer_us_usual,
          (frame.transfer_us_rare * frame.transfer_us_rare_width + 7) / 8 * 8 AS transfer_us_rare,
        CASE WHEN frame.agent_key_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS agent_key_choices,
          ((packed.results - frame.agent_key_rare) * frame.agent_key_usual_width + 7) / 8 * 8 AS agent_key_usual,
          (frame.agent_key_rare * frame.agent_key_rare_width + 7) / 8 * 8 AS agent_key_rare,
        CASE WHEN frame.start_lag_ms_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS start_lag_ms_choices,
          ((packed.results - frame.start_lag_ms_rare) * frame.start_lag_ms_usual_width + 7) / 8 * 8 AS start_lag_ms_usual,
          (frame.start_lag_ms_rare * frame.start_lag_ms_rare_width + 7) / 8 * 8 AS start_lag_ms_rare,
        CASE WHEN frame.fresh_s_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS fresh_s_choices,
          ((packed.results - frame.fresh_s_rare) * frame.fresh_s_usual_width + 7) / 8 * 8 AS fresh_s_usual,
          (frame.fresh_s_rare * frame.fresh_s_rare_width + 7) / 8 * 8 AS fresh_s_rare,
        CASE WHEN frame.status_code_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS status_code_choices,
          ((packed.results - frame.status_code_rare) * frame.status_code_usual_width + 7) / 8 * 8 AS status_code_usual,
          (frame.status_code_rare * frame.status_code_rare_width + 7) / 8 * 8 AS status_code_rare,
        CASE WHEN frame.outcome_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS outcome_choices,
          ((packed.results - frame.outcome_rare) * frame.outcome_usual_width + 7) / 8 * 8 AS outcome_usual,
          (frame.outcome_rare * frame.outcome_rare_width + 7) / 8 * 8 AS outcome_rare
      OFFSET 0) AS length
    CROSS JOIN LATERAL (
      SELECT 1152 AS slot_choices, 1152 + length.slot_choices AS slot_usual,
          1152 + length.slot_choices + length.slot_usual AS slot_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare AS extra_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices AS extra_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual AS extra_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare AS dns_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices AS dns_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual AS dns_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare AS connect_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices AS connect_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual AS connect_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare AS tls_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices AS tls_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual AS tls_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare AS first_byte_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices AS first_byte_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual AS first_byte_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare AS transfer_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices AS transfer_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual AS transfer_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare AS agent_key_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices AS agent_key_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual AS agent_key_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare AS start_lag_ms_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices AS start_lag_ms_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual AS start_lag_ms_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare AS fresh_s_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices AS fresh_s_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual AS fresh_s_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare AS status_code_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare + length.status_code_choices AS status_code_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare + length.status_code_choices + length.status_code_usual AS status_code_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare + length.status_code_choices + length.status_code_usual + length.status_code_rare AS outcome_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare + length.status_code_choices + length.status_code_usual + length.status_code_rare + length.outcome_choices AS outcome_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare + length.status_code_choices + length.status_code_usual + length.status_code_rare + length.outcome_choices + length.outcome_usual AS outcome_rare
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
      SELECT "position", packed_value(stored.bits, "position", frame.slot_rare, place.slot_choices, place.slot_usual,
          frame.slot_usual_width, frame.slot_usual_base, place.slot_rare, frame.slot_rare_width, frame.slot_rare_base) AS slot,
        packed_value(stored.bits, "position", frame.extra_us_rare, place.extra_us_choices, place.extra_us_usual,
          frame.extra_us_usual_width, frame.extra_us_usual_base, place.extra_us_rare, frame.extra_us_rare_width, frame.extra_us_rare_base) AS extra_us,
        packed_value(stored.bits, "position", frame.dns_us_rare, place.dns_us_choices, place.dns_us_usual,
          frame.dns_us_usual_width, frame.dns_us_usual_base, place.dns_us_rare, frame.dns_us_rare_width, frame.dns_us_rare_base) AS dns_us,
        packed_value(stored.bits, "position", frame.connect_us_rare, place.connect_us_choices, place.connect_us_usual,
          frame.connect_us_usual_width, frame.connect_us_usual_base, place.connect_us_rare, frame.connect_us_rare_width, frame.connect_us_rare_base) AS connect_us,
        packed_value(stored.bits, "position", frame.tls_us_rare, place.tls_us_choices, place.tls_us_usual,
          frame.tls_us_usual_width, frame.tls_us_usual_base, place.tls_us_rare, frame.tls_us_rare_width, frame.tls_us_rare_base) AS tls_us,
        packed_value(stored.bits, "position", frame.first_byte_us_rare, place.first_byte_us_choices, place.first_byte_us_usual,
          frame.first_byte_us_usual_width, frame.first_byte_us_usual_base, place.first_byte_us_rare, frame.first_byte_us_rare_width, frame.first_byte_us_rare_base) AS first_byte_us,
        packed_value(stored.bits, "position", frame.transfer_us_rare, place.transfer_us_choices, place.transfer_us_usual,
          frame.transfer_us_usual_width, frame.transfer_us_usual_base, place.transfer_us_rare, frame.transfer_us_rare_width, frame.transfer_us_rare_base) AS transfer_us,
        packed_value(stored.bits, "position", frame.agent_key_rare, place.agent_key_choices, place.agent_key_usual,
          frame.agent_key_usual_width, frame.agent_key_usual_base, place.agent_key_rare, frame.agent_key_rare_width, frame.agent_key_rare_base) AS agent_key,
        packed_value(stored.bits, "position", frame.start_lag_ms_rare, place.start_lag_ms_choices, place.start_lag_ms_usual,
          frame.start_lag_ms_usual_width, frame.start_lag_ms_usual_base, place.start_lag_ms_rare, frame.start_lag_ms_rare_width, frame.start_lag_ms_rare_base) AS start_lag_ms,
        packed_value(stored.bits, "position", frame.fresh_s_rare, place.fresh_s_choices, place.fresh_s_usual,
          frame.fresh_s_usual_width, frame.fresh_s_usual_base, place.fresh_s_rare, frame.fresh_s_rare_width, frame.fresh_s_rare_base) AS fresh_s,
        packed_value(stored.bits, "position", frame.status_code_rare, place.status_code_choices, place.status_code_usual,
          frame.status_code_usual_width, frame.status_code_usual_base, place.status_code_rare, frame.status_code_rare_width, frame.status_code_rare_base) AS status_code,
        packed_value(stored.bits, "position", frame.outcome_rare, place.outcome_choices, place.outcome_usual,
          frame.outcome_usual_width, frame.outcome_usual_base, place.outcome_rare, frame.outcome_rare_width, frame.outcome_rare_base) AS outcome
      OFFSET 0) AS result
  WHERE packed.monitor_key = ANY (monitor_keys) AND packed.starts_at < packed_before
    AND packed.starts_at >= date_trunc('day', from_at, 'UTC') AND packed.starts_at < to_at AND packed.ends_at >= from_at
    AND packed.starts_at + (result."position" + result.slot) * packed.step_ms * interval '1 ms' >= from_at
    AND packed.starts_at + (result."position" + result.slot) * packed.step_ms * interval '1 ms' < to_at;
    END $$;

  -- The results of these monitors in [from_at, to_at), in rows or packed: what everything reads. One SELECT, not volatile,
  -- not strict: the planner puts it in the place of the call. The rows are therefore locked before the snapshot is
  -- taken that decides whether they or the packed results of a day are read.
  CREATE FUNCTION result_row(monitor_keys bigint[], from_at timestamptz, to_at timestamptz) RETURNS SETOF check_result LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT * FROM check_result
    WHERE monitor_key = ANY (monitor_keys) AND scheduled_at >= from_at AND scheduled_at < to_at
    UNION ALL
    SELECT * FROM unpacked_result(monitor_keys, from_at, to_at, (SELECT packed_until FROM packing_progress))
    WHERE from_at < (SELECT packed_until FROM packing_progress) $$;

  -- On partitions of days that are being packed or are packed. A result that is packed is not stored again.
  CREATE FUNCTION note_late_result() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- The packer waits for this transaction before it merges late results, and this one for the packer.
    PERFORM pg_advisory_xact_lock_shared(7761003);
    IF TG_OP = 'INSERT' AND EXISTS (
      SELECT FROM unpacked_result(ARRAY[NEW.monitor_key], NEW.scheduled_at, NEW.scheduled_at + interval '1 ms', 'infinity') packed
      WHERE packed.kind = NEW.kind AND packed.region = NEW.region
    ) THEN
      RETURN NULL;
    END IF;
    INSERT INTO late_result (monitor_key, day) VALUES (NEW.monitor_key, date_trunc('day', NEW.scheduled_at, 'UTC'));
    RETURN NEW;
  END $$;
`;
