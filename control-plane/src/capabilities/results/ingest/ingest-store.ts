import { CHECK_KIND_CODES, CHECK_KINDS, checkKindsOf } from '@watchpost/shared/check';
import { MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import {
  FIRST_LOCATION_CODE,
  HOME_REGION,
  regionCode,
  regionOfCode,
  REGIONS,
  type Region,
} from '@watchpost/shared/region';
import { databaseErrorOf, UNIQUE_VIOLATION } from '../../../platform/db/database-error.js';
import type { Tx } from '../../../platform/db/database.js';
import { avoiding } from '../../../platform/db/plans-by-index.js';
import type { ArrangedResult } from './arrange-batch.js';
import { ITEMS, parametersOf } from './ingest-columns.js';

const ROW_COLUMNS = `monitor_key, scheduled_at, total_us, dns_us, connect_us, tls_us, first_byte_us, transfer_us,
    agent_key, start_lag_ms, fresh_s, status_code, kind, region, outcome`;
const rowValues = (
  freshSeconds: string,
) => `monitor_key, scheduled_at, total_us, dns_us, connect_us, tls_us, first_byte_us,
    transfer_us, agent_key, start_lag_ms, ${freshSeconds}, status_code, kind, region, outcome`;

/** A result changes its series only if it is newer than the last one and was scheduled by the present settings. */
const ADVANCES = (scheduled: string) =>
  `${scheduled} >= series.counts_from AND (series.last_scheduled_at IS NULL OR ${scheduled} > series.last_scheduled_at)`;

/**
 * The assignments by which a result (`from`) changes a series. Late results count in a streak and make a region recover,
 * but never make it fail: only a fresh result does, so that no incident opens in the past. A verdict depends on `failing`
 * and on freshness alone: the series stays settled while neither changes. Freshness that has expired, or is about to,
 * counts as changed, because a concurrent decision may have found it expired. A stale series stays settled with a result
 * that is not fresh, or for less than half of its time: where results are that late, the next one would come too late as
 * well, and the verdict would change twice with each result. Where latency is monitored, a success on the other side of the
 * threshold unsettles the series too, and so does one with a warning while the verdict has none, or without one.
 */
function seriesAfter(from: {
  scheduled: string;
  started: string;
  until: string;
  conclusive: string;
  outcome: string;
  total: string;
  warns: string;
  alertAfter: string;
  recoverAfter: string;
}): string {
  const until = `CASE WHEN series.stale AND ${from.until} - (${from.until} - ${from.scheduled}) / 2 <= $1::timestamptz
      THEN least(${from.until}, $1::timestamptz) ELSE ${from.until} END`;
  const streak = `CASE WHEN series.streak_outcome = ${from.outcome} THEN series.streak + 1 ELSE 1 END`;
  const failing = `CASE
      WHEN ${from.outcome} = 2 AND ${until} > $1::timestamptz AND ${streak} >= ${from.alertAfter} THEN true
      WHEN ${from.outcome} = 1 AND (series.failing IS NULL OR ${streak} >= ${from.recoverAfter}) THEN false
      ELSE series.failing END`;
  return `last_scheduled_at = ${from.scheduled},
    last_started_at = ${from.started},
    conclusive_at = CASE WHEN ${from.conclusive} THEN ${from.scheduled} ELSE series.conclusive_at END,
    fresh_until = CASE WHEN ${from.conclusive} THEN ${until} ELSE series.fresh_until END,
    streak = CASE WHEN ${from.conclusive} THEN ${streak} ELSE series.streak END,
    streak_outcome = CASE WHEN ${from.conclusive} THEN ${from.outcome} ELSE series.streak_outcome END,
    streak_since = CASE WHEN ${from.conclusive} AND series.streak_outcome <> ${from.outcome} THEN ${from.scheduled} ELSE series.streak_since END,
    failing = ${failing},
    settled = series.settled AND (NOT ${from.conclusive} OR (series.failing IS NOT DISTINCT FROM ${failing}
      AND CASE WHEN series.stale THEN ${until} <= $1::timestamptz AND series.slow_above_us IS NULL
      ELSE series.fresh_until > $1::timestamptz + interval '10 s'
      AND (series.slow_above_us IS NULL OR ${from.outcome} <> 1 OR (${from.total} > series.slow_above_us) = series.is_slow)
      AND (${from.outcome} <> 1 OR ${from.warns} = series.is_warning) END)),
    stale = series.stale AND NOT (${from.conclusive} AND ${until} > $1::timestamptz)`;
}

/** How long a result is fresh, as the agent reports it, limited by the settings of the monitor. */
const FRESH_UNTIL = "item.scheduled_at + least(item.fresh_ms, series.fresh_most_ms) * interval '1 ms'";

const UNSETTLED = 'ARRAY(SELECT DISTINCT monitor_key FROM advanced WHERE NOT settled)';

/**
 * The common case: every result is the next one of an existing series. The series proves that its monitor is checked in
 * this region and that the row is not stored yet: the row is inserted without ON CONFLICT, which would double its cost,
 * and nothing else is looked up. The general statement stores what this one leaves out. The measured alternatives are in docs/decisions/0003-batch-ingest-in-one-statement.md.
 */
const ADVANCE = `WITH advanced AS (
  UPDATE series SET last_total_us = total_us, last_outcome = outcome, last_status_code = item.status_code,
    ${seriesAfter({
      scheduled: 'item.scheduled_at',
      started: "item.scheduled_at + item.start_lag_ms * interval '1 ms'",
      until: FRESH_UNTIL,
      conclusive: 'item.conclusive',
      outcome: 'item.counted',
      total: 'item.total_us',
      warns: '(item.warns = 1)',
      alertAfter: 'series.alert_after',
      recoverAfter: 'series.recover_after',
    })}
  FROM ${ITEMS} AS item
  WHERE series.monitor_key = item.monitor_key AND series.kind = item.kind AND series.region = item.region
    AND ${ADVANCES('item.scheduled_at')}
  RETURNING item.*, least(item.fresh_ms, series.fresh_most_ms) AS allowed_fresh_ms, series.settled
), stored AS (
  INSERT INTO check_result (${ROW_COLUMNS}) SELECT ${rowValues('(allowed_fresh_ms + 999) / 1000')} FROM advanced
)
SELECT ${UNSETTLED} AS unsettled,
  CASE WHEN (SELECT count(*) FROM advanced) < cardinality($2::bigint[]) THEN ARRAY(SELECT region FROM advanced) END AS stored`;

const REGION_NAME = `CASE item.region ${REGIONS.map(({ name, code }) => `WHEN ${code} THEN '${name}'`).join(' ')} END`;

const TYPES_OF_KIND = `CASE item.kind ${CHECK_KINDS.map((kind) => {
  const types = MONITOR_TYPES.filter((type) => checkKindsOf([type]).includes(kind));
  return `WHEN ${CHECK_KIND_CODES[kind]} THEN '{${types.join()}}'::text[]`;
}).join(' ')} END`;

const INPUT = `input AS MATERIALIZED (
  SELECT item.*, subject.monitor_key IS NOT NULL AS known,
    CASE WHEN item.region >= ${FIRST_LOCATION_CODE} THEN item.region = ANY (subject.private_locations)
      WHEN item.region = ${regionCode(HOME_REGION)} THEN subject.home_region
      ELSE ${REGION_NAME} = ANY (subject.enabled_regions) END AS here, subject.monitor_types && ${TYPES_OF_KIND} AS asked,
    allowance.fresh_ms AS fresh_most_ms, least(item.fresh_ms, allowance.fresh_ms) AS allowed_fresh_ms,
    item.scheduled_at + least(item.fresh_ms, allowance.fresh_ms) * interval '1 ms' AS allowed_fresh_until,
    subject.is_enabled, subject.checks_changed, subject.checks_before_alert, subject.checks_before_recovery
  FROM ${ITEMS} AS item LEFT JOIN verdict_subject subject ON subject.monitor_key = item.monitor_key
    LEFT JOIN check_allowance allowance ON allowance.monitor_key = subject.monitor_key)`;

/** The results that may change a series, or create it where it is missing. */
const COUNTS = 'known AND here AND asked AND is_enabled AND scheduled_at >= checks_changed';

/**
 * Applies the first result of each series among these, and creates the series where it is missing. Locks the series of
 * all of them in the order of their keys, newer or not.
 */
const ADVANCE_FIRST = `advanced AS (
  INSERT INTO series (monitor_key, counts_from, last_scheduled_at, last_started_at, conclusive_at, fresh_until,
    streak_since, last_total_us, streak, kind, region, last_outcome, streak_outcome, last_status_code, alert_after,
    recover_after, fresh_most_ms, failing, is_warning)
  SELECT DISTINCT ON (monitor_key, kind, region) monitor_key, checks_changed, scheduled_at, scheduled_at + start_lag_ms * interval '1 ms',
    CASE WHEN conclusive THEN scheduled_at END, allowed_fresh_until, CASE WHEN conclusive THEN scheduled_at END, total_us,
    conclusive::integer, kind, region, outcome, CASE WHEN conclusive THEN outcome ELSE 0 END, status_code,
    checks_before_alert, checks_before_recovery, fresh_most_ms,
    CASE WHEN outcome = 1 THEN false WHEN counted = 2 AND checks_before_alert = 1 AND allowed_fresh_until > $1::timestamptz THEN true END,
    warns = 1
  FROM input WHERE ${COUNTS} ORDER BY monitor_key, kind, region, input.scheduled_at, round
  ON CONFLICT (monitor_key, kind, region) DO UPDATE SET last_total_us = excluded.last_total_us,
    last_outcome = excluded.last_outcome, last_status_code = excluded.last_status_code,
    alert_after = excluded.alert_after, recover_after = excluded.recover_after, fresh_most_ms = excluded.fresh_most_ms,
    ${seriesAfter({
      scheduled: 'excluded.last_scheduled_at',
      started: 'excluded.last_started_at',
      until: 'excluded.fresh_until',
      conclusive: '(excluded.streak_outcome <> 0)',
      outcome: 'excluded.streak_outcome',
      total: 'excluded.last_total_us',
      warns: 'excluded.is_warning',
      alertAfter: 'excluded.alert_after',
      recoverAfter: 'excluded.recover_after',
    })}
  WHERE ${ADVANCES('excluded.last_scheduled_at')}
  RETURNING series.monitor_key, series.settled)`;

const stored = (which: string) => `stored AS (
  INSERT INTO check_result (${ROW_COLUMNS})
  -- A result that arrives while its monitor is paused is history, and is fresh for no time.
  SELECT ${rowValues('CASE WHEN is_enabled THEN (allowed_fresh_ms + 999) / 1000 ELSE 0 END')}
  FROM input WHERE known AND here AND asked AND ${which}
  ORDER BY monitor_key, kind, region, scheduled_at
  ON CONFLICT DO NOTHING
  RETURNING region
)`;
const COUNTED = `ARRAY(SELECT region FROM stored) AS stored,
  ARRAY(SELECT region FROM input WHERE NOT known) AS unknown,
  ARRAY(SELECT region FROM input WHERE known AND NOT here) AS elsewhere,
  ARRAY(SELECT region FROM input WHERE known AND here AND NOT asked) AS unasked`;

/**
 * Several results of a series, and first ones. Counting `advanced` locks all series before the first row is written, as
 * in the common case: two batches must not lock series and rows in opposite orders.
 */
const STORE = `WITH ${INPUT}, ${ADVANCE_FIRST}, ${stored('(SELECT count(*) FROM advanced) >= 0')}
SELECT ${UNSETTLED} AS unsettled, ${COUNTED},
  ARRAY(SELECT DISTINCT concat_ws(' ', monitor_key, kind, region) FROM input WHERE ${COUNTS}) AS locked`;

/**
 * After ADVANCE: repeated and late results, and those that only count as history. Locks no series: one that is missing
 * may come before those that ADVANCE has locked. Where one is missing, or has been created since, writes nothing.
 */
const STORE_REST = `WITH ${INPUT}, overtaken AS MATERIALIZED (
  SELECT FROM input LEFT JOIN series
    ON series.monitor_key = input.monitor_key AND series.kind = input.kind AND series.region = input.region
  WHERE CASE WHEN series.monitor_key IS NULL THEN ${COUNTS} ELSE ${ADVANCES('input.scheduled_at')} END
), ${stored('NOT EXISTS (SELECT FROM overtaken)')}
SELECT $1::timestamptz AS now, ${COUNTED}, (SELECT count(*) FROM overtaken) AS overtaken`;

const NEXT_ROUND = `WITH ${INPUT}, ${ADVANCE_FIRST}
SELECT ${UNSETTLED} AS unsettled`;

const KEEP_ORDER = avoiding('seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material');

/** What a statement stored, and what it left out: the region of each result. */
export interface StoredResults {
  stored: Region[];
  /** Results of monitors that do not exist, or no longer. */
  unknown: Region[];
  /** Results of monitors that their region does not check. */
  elsewhere: Region[];
  /** Results of kinds that the monitor does not have. */
  unasked: Region[];
}

/** The same as a statement returns it: the codes of the regions. */
type StoredCodes = Record<keyof StoredResults, number[]>;

export interface StoredBatch extends StoredResults {
  /** Monitors whose verdict may change. */
  unsettled: number[];
}

export const ingestStore = {
  /**
   * Until the transaction ends, the planner reads series by their key only, in the order of the batch, whatever the
   * statistics are. A sequential scan of a small table would lock rows in physical order, so that two batches could
   * deadlock, and a merge join would read the table from its first series to its last.
   */
  async keepOrder(tx: Tx): Promise<void> {
    await tx.query(KEEP_ORDER);
  },

  /**
   * Stores those results that are the next of their series, and applies them.
   * @returns the regions of the stored ones; null where all are stored
   */
  async advance(
    tx: Tx,
    now: Date,
    results: readonly ArrangedResult[],
  ): Promise<{ stored: Region[] | null; unsettled: number[] }> {
    const [row] = await tx.query<{ stored: number[] | null; unsettled: number[] }>(ADVANCE, parametersOf(now, results));
    const { stored: codes, unsettled } = row!;
    return { stored: codes && codes.map(regionOfCode), unsettled };
  },

  /**
   * Stores those of the same results that `advance` left: repeated and late ones.
   * @returns null, with nothing stored, where a result is the first of its series
   */
  async storeRest(tx: Tx, now: Date, results: readonly ArrangedResult[]): Promise<StoredResults | null> {
    const [row] = await tx.query<StoredCodes & { overtaken: number }>(STORE_REST, parametersOf(now, results));
    return row!.overtaken === 0 ? storedResults(row!) : null;
  },

  /**
   * Stores results of which a series may have several, and applies the first of each.
   * @returns the locked series too, as `<monitor key> <kind> <region>`, with the codes of kind and region
   */
  async store(tx: Tx, now: Date, results: readonly ArrangedResult[]): Promise<StoredBatch & { locked: string[] }> {
    const [row] = await tx.query<StoredCodes & { unsettled: number[]; locked: string[] }>(
      STORE,
      parametersOf(now, results),
    );
    const { unsettled, locked } = row!;
    return { ...storedResults(row!), unsettled, locked };
  },

  /** Applies a later result of each of these series, which `store` has locked. @returns the monitors whose verdict may change */
  async applyRound(tx: Tx, now: Date, results: readonly ArrangedResult[]): Promise<number[]> {
    return tx.value(NEXT_ROUND, parametersOf(now, results));
  },
};

function storedResults({ stored: all, unknown, elsewhere, unasked }: StoredCodes): StoredResults {
  return {
    stored: all.map(regionOfCode),
    unknown: unknown.map(regionOfCode),
    elsewhere: elsewhere.map(regionOfCode),
    unasked: unasked.map(regionOfCode),
  };
}

/** Whether a row that had to be new exists already. */
export function isRepeatedRow(error: unknown): boolean {
  return databaseErrorOf(error)?.code === UNIQUE_VIOLATION;
}
