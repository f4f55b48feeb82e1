export const resultsTables = `
  -- One row per check. Fixed-width and NOT NULL throughout, wide columns first: no null bitmap, no padding,
  -- 80 bytes with the header. kind and outcome as in shared/src; region as in shared/src/region.ts;
  -- 0 means "none". Of pings connect_us and tls_us count packets (figures/rollup/packets.ts), here and in rollups.
  -- results/partitions/partition-store.ts creates and drops the partitions.
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
    -- Started minus scheduled, clamped to the type's range: a check that starts more than 32 s late is inconclusive.
    start_lag_ms smallint NOT NULL,
    -- How long the result is fresh, rounded up.
    fresh_s smallint NOT NULL,
    status_code smallint NOT NULL,
    kind smallint NOT NULL,
    region smallint NOT NULL,
    outcome smallint NOT NULL,
    CONSTRAINT check_result_pkey PRIMARY KEY (monitor_key, scheduled_at, kind, region)
  ) PARTITION BY RANGE (scheduled_at);

  -- Evidence: only for results that are not up, or whose assertions fail that only warn.
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
    -- The target itself reported the failure, over verified TLS.
    answer_verified boolean NOT NULL DEFAULT false,
    evidence jsonb,
    CONSTRAINT check_failure_pkey PRIMARY KEY (monitor_key, scheduled_at, kind, region)
  ) PARTITION BY RANGE (scheduled_at);

  -- The current state of each series, updated in place with every result: a narrow row, free space in each block
  -- for heap-only updates, and no index on a column that a result changes. The row is inserted with the monitor, so
  -- that a region from which no agent ever reports is noticed too.
  CREATE TABLE series (
    monitor_key bigint NOT NULL,
    -- Results scheduled before this do not count; infinity while none does.
    counts_from timestamptz(3) NOT NULL,
    -- The scheduled time of the newest result of any outcome; null before the first.
    last_scheduled_at timestamptz(3),
    last_started_at timestamptz(3),
    -- The scheduled time of the newest conclusive result.
    conclusive_at timestamptz(3),
    -- Until when that result is fresh; before the first, until when it is awaited.
    fresh_until timestamptz(3),
    -- The scheduled time of the first result of the streak.
    streak_since timestamptz(3),
    last_total_us integer DEFAULT 0 NOT NULL,
    -- Conclusive results in a row with the outcome streak_outcome.
    streak integer DEFAULT 0 NOT NULL,
    -- The longest time for which a result may count as fresh, see check_allowance.
    fresh_most_ms integer DEFAULT 7260000 NOT NULL,
    -- Slower responses are above the monitor's latency threshold; null where it has none.
    slow_above_us integer,
    kind smallint NOT NULL,
    region smallint NOT NULL,
    last_outcome smallint DEFAULT 0 NOT NULL,
    streak_outcome smallint DEFAULT 0 NOT NULL,
    last_status_code smallint DEFAULT 0 NOT NULL,
    -- numberOfChecksBeforeAlert and numberOfChecksBeforeRecovery
    alert_after smallint NOT NULL,
    recover_after smallint NOT NULL,
    -- True after alert_after failures in a row, false after recover_after successes; null before the first success or
    -- that many failures.
    failing boolean,
    -- The verdict takes all of this row into account; false as soon as failing or freshness changes.
    settled boolean DEFAULT false NOT NULL,
    -- fresh_until has passed and the verdict takes that into account.
    stale boolean DEFAULT false NOT NULL,
    -- The verdict counts the latency window as above slow_above_us.
    is_slow boolean DEFAULT false NOT NULL,
    -- The verdict counts the region as one where assertions fail that only warn.
    is_warning boolean DEFAULT false NOT NULL,
    -- Of the last failure: the target itself reported it over verified TLS.
    answer_verified boolean DEFAULT false NOT NULL,
    -- Of the last failure: the target works at some of its addresses.
    is_partial boolean DEFAULT false NOT NULL,
    -- Of the last failure: the /24 or /48 it came from.
    failed_network text,
    last_message text,
    answer_digest integer,
    CONSTRAINT series_pkey PRIMARY KEY (monitor_key, kind, region)
  ) WITH (fillfactor=60, autovacuum_vacuum_scale_factor=0.05);
  CREATE INDEX series_failing_idx ON series (streak_since) WHERE streak_outcome = 2;

  -- The verdict on each monitor. The row is locked while a verdict is decided.
  CREATE TABLE monitor_state (
    monitor_key bigint CONSTRAINT monitor_state_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    health_status text,
    verdict text NOT NULL DEFAULT 'unknown',
    verdict_since timestamptz(3) NOT NULL,
    -- When it must be decided again although no result requires it; null: never.
    decide_at timestamptz(3),
    -- The state of the pure function, see verdicts/verdict/decide-verdict.ts.
    memory jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT monitor_state_verdict_check CHECK (verdict IN ('available', 'partial', 'unavailable', 'unknown')),
    CONSTRAINT monitor_state_health_check CHECK (health_status IN ('available', 'unavailable', 'degraded'))
  ) WITH (fillfactor = 80);
  CREATE INDEX monitor_state_decide_idx ON monitor_state (decide_at) WHERE decide_at IS NOT NULL;
  CREATE INDEX monitor_state_workspace_idx ON monitor_state (workspace_id);

  -- Certificates and DNS answers, each once per monitor and day. Rows are never updated, and retention drops them by
  -- the day, as it does results.
  CREATE TABLE check_answer (
    monitor_key bigint NOT NULL,
    -- The start of the day of the checks.
    day timestamptz(3) NOT NULL,
    -- Of the content.
    hash uuid NOT NULL,
    content jsonb NOT NULL,
    CONSTRAINT check_answer_pkey PRIMARY KEY (monitor_key, day, hash)
  ) PARTITION BY RANGE (day);

  -- One narrow row per SSL or DNS check that read something.
  CREATE TABLE check_detail (
    monitor_key bigint NOT NULL,
    scheduled_at timestamptz(3) NOT NULL,
    hash uuid NOT NULL,
    -- How long the answer took; 0 for certificates.
    response_us integer NOT NULL,
    kind smallint NOT NULL,
    region smallint NOT NULL,
    -- The differences from the last good answer of the region; null where there are none.
    changes jsonb,
    CONSTRAINT check_detail_pkey PRIMARY KEY (monitor_key, scheduled_at, kind, region)
  ) PARTITION BY RANGE (scheduled_at);

  -- For each SSL and DNS series, its latest conclusive check and its latest good answer. Late results do not change it.
  CREATE TABLE last_answer (
    monitor_key bigint NOT NULL,
    kind smallint NOT NULL,
    region smallint NOT NULL,
    -- What was checked; details of another target are ignored.
    target text NOT NULL,
    checked_at timestamptz(3) NOT NULL,
    started_at timestamptz(3) NOT NULL,
    -- Why that check failed; null where it succeeded.
    message text,
    -- The latest check that read a certificate or got a good answer; null before the first.
    answered_at timestamptz(3),
    hash uuid,
    answer jsonb,
    seen jsonb,
    CONSTRAINT last_answer_pkey PRIMARY KEY (monitor_key, kind, region)
  ) WITH (fillfactor=70);

  -- What the latest check of a series found about single addresses of the name, steps and packets. A series of which no check found
  -- anything has no row; the row of an older check than the last conclusive one is past.
  CREATE TABLE check_finding (
    monitor_key bigint NOT NULL,
    kind smallint NOT NULL,
    region smallint NOT NULL,
    scheduled_at timestamptz(3) NOT NULL,
    addresses jsonb NOT NULL,
    warnings jsonb NOT NULL,
    steps jsonb,
    ping jsonb,
    CONSTRAINT check_finding_pkey PRIMARY KEY (monitor_key, kind, region)
  ) WITH (fillfactor=70);

  -- Which changes of a monitor's certificate and names people were notified of, so that each is sent once.
  CREATE TABLE notified_change (
    monitor_key bigint CONSTRAINT notified_change_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    memory jsonb NOT NULL DEFAULT '{}'
  );

  -- The results of a series in an hour: a function of the rows of that hour only, so that it can be recomputed whenever
  -- one of them arrives late. Durations are sums over the successful checks. figures/rollup/span-codec.ts and
  -- figures/rollup/histogram.ts define the bytea; those of several buckets are merged by concatenation.
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
    -- Of the total duration; 0 where no check was up.
    min_us integer NOT NULL,
    max_us integer NOT NULL,
    kind smallint NOT NULL,
    region smallint NOT NULL,
    spans bytea NOT NULL,
    histogram bytea NOT NULL,
    CONSTRAINT check_rollup_pkey PRIMARY KEY (monitor_key, starts_at, kind, region)
  ) WITH (fillfactor = 95);
  -- For retention. A BRIN index costs next to nothing to maintain.
  CREATE INDEX check_rollup_starts_idx ON check_rollup USING brin (starts_at);

  -- The same by day (UTC), computed from the hours.
  CREATE TABLE check_rollup_day (LIKE check_rollup INCLUDING STORAGE, CONSTRAINT check_rollup_day_pkey
    PRIMARY KEY (monitor_key, starts_at, kind, region)) WITH (fillfactor = 95);

  -- Figures of the 24 hours before a moment, computed from rollups once an hour. Null: nothing is known.
  CREATE TABLE monitor_day (
    monitor_key bigint CONSTRAINT monitor_day_pkey PRIMARY KEY,
    until timestamptz(3) NOT NULL,
    -- Percent.
    uptime float8,
    p95_us integer
  ) WITH (fillfactor = 80);
  CREATE TABLE workspace_day (
    workspace_id uuid CONSTRAINT workspace_day_pkey PRIMARY KEY
      CONSTRAINT workspace_day_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    until timestamptz(3) NOT NULL,
    figures jsonb NOT NULL
  ) WITH (fillfactor = 80);

  -- Dirty buckets: their rollup, if there is one, does not contain all rows, so the rows are read, or the hours of a
  -- day. A bucket is marked in the transaction that writes those rows, and unmarked in the one that recomputes it.
  CREATE TABLE dirty_bucket (
    monitor_key bigint NOT NULL,
    starts_at timestamptz(3) NOT NULL,
    is_day boolean NOT NULL,
    CONSTRAINT dirty_bucket_pkey PRIMARY KEY (monitor_key, starts_at, is_day)
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
  CREATE INDEX dirty_bucket_order_idx ON dirty_bucket (is_day, starts_at, monitor_key);

  -- One row. Every hour before closed_until is in the rollups or dirty; later hours are read from the rows. Null: all of
  -- them are.
  CREATE TABLE rollup_progress (
    is_only boolean NOT NULL DEFAULT true CONSTRAINT rollup_progress_pkey PRIMARY KEY,
    closed_until timestamptz(3),
    CONSTRAINT rollup_progress_only_check CHECK (is_only)
  );
  INSERT INTO rollup_progress DEFAULT VALUES;

  -- Suspect periods. The open one of a region is its state, for every process.
  CREATE TABLE suspect_period (
    id uuid CONSTRAINT suspect_period_pkey PRIMARY KEY,
    region smallint NOT NULL,
    reason text NOT NULL,
    -- Failures scheduled from here on do not count.
    onset timestamptz(3) NOT NULL,
    noticed timestamptz(3) NOT NULL,
    -- Since when the period seems to be over; null: it does not.
    calm_since timestamptz(3),
    ended timestamptz(3),
    facts jsonb NOT NULL,
    CONSTRAINT suspect_period_reason_check CHECK (reason IN ('correlated_failures', 'blind_agents'))
  );
  CREATE UNIQUE INDEX suspect_period_open_key ON suspect_period (region) WHERE ended IS NULL;
  CREATE INDEX suspect_period_ended_idx ON suspect_period (region, ended);

  -- Messages to the operator of the installation. Customers do not see them.
  CREATE TABLE operator_notice (
    id uuid CONSTRAINT operator_notice_pkey PRIMARY KEY,
    created timestamptz(3) NOT NULL,
    kind text NOT NULL,
    region text,
    message text NOT NULL,
    detail jsonb NOT NULL
  );
  CREATE INDEX operator_notice_created_idx ON operator_notice (created);

  -- One second opinion per streak of failures, separate from results and not counted anywhere.
  CREATE TABLE second_opinion (
    monitor_key bigint NOT NULL,
    kind smallint NOT NULL,
    -- Where the check failed, and since when.
    region smallint NOT NULL,
    streak_since timestamptz(3) NOT NULL,
    asked timestamptz(3) NOT NULL,
    -- The region that was asked; null until one was found.
    asked_region smallint,
    answered timestamptz(3),
    -- As in check_result. Null without an answer; refusal then contains the reason.
    outcome smallint,
    result jsonb,
    refusal text,
    CONSTRAINT second_opinion_pkey PRIMARY KEY (monitor_key, kind, region, streak_since)
  );
  CREATE INDEX second_opinion_asked_idx ON second_opinion (asked);
`;
