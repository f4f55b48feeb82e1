import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { OUTCOME_CODES, type CheckResult } from '@watchpost/shared/outcome';
import { HOME_REGION, regionCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../db/database.js';
import type { ArrangedResult } from './arrange-batch.js';

const INT4_MAX = 2_147_483_647;
const INT2_MAX = 32_767;

/** One column a line: its name, its element type, and its value of a result. Nothing here may overflow. */
const COLUMNS: readonly [name: string, type: string, value: (arranged: ArrangedResult) => number][] = [
  ['monitor_key', 'bigint', ({ result }) => result.key.monitorKey],
  ['scheduled_ms', 'bigint', ({ result }) => result.scheduledAtMs],
  ['start_lag_ms', 'integer', ({ result }) => clamp(result.startedAtMs - result.scheduledAtMs, -INT2_MAX, INT2_MAX)],
  ['total_us', 'integer', ({ result }) => int4(result.totalUs)],
  ['dns_us', 'integer', ({ result }) => int4(result.timings.dnsUs)],
  ['connect_us', 'integer', ({ result }) => int4(result.timings.connectUs)],
  ['tls_us', 'integer', ({ result }) => int4(result.timings.tlsUs)],
  ['first_byte_us', 'integer', ({ result }) => int4(result.timings.firstByteUs)],
  ['transfer_us', 'integer', ({ result }) => int4(result.timings.transferUs)],
  ['fresh_ms', 'integer', ({ result }) => clamp(result.freshMs, 0, INT2_MAX * 1000)],
  ['status_code', 'smallint', ({ result }) => clamp(result.statusCode ?? 0, 0, INT2_MAX)],
  ['kind', 'smallint', ({ result }) => CHECK_KIND_CODES[result.key.kind]],
  ['outcome', 'smallint', ({ result }) => OUTCOME_CODES[result.outcome.kind]],
  ['round', 'integer', ({ round }) => round],
];

/** Where the columns' arrays begin among a statement's parameters; before them: now, region code, region name, agent key. */
const FIRST_ARRAY = 5;
const INPUT = `input AS MATERIALIZED (
  SELECT item.*, 'epoch'::timestamptz + item.scheduled_ms * interval '1 ms' AS scheduled_at,
    subject.monitor_key IS NOT NULL AS known,
    $3::text = '${HOME_REGION}' OR $3 = ANY (subject.enabled_regions) AS here,
    subject.is_enabled, subject.checks_changed, subject.checks_before_alert, subject.checks_before_recovery
  FROM unnest(${COLUMNS.map(([, type], index) => `$${FIRST_ARRAY + index}::${type}[]`).join(', ')})
    AS item (${COLUMNS.map(([name]) => name).join(', ')})
  LEFT JOIN verdict_subject subject ON subject.monitor_key = item.monitor_key)`;

/**
 * The result of one round for every series. Late results count in a streak, and make a region recover,
 * but never make it fail: that takes one that is still fresh, so no incident opens in the past.
 */
const STANDING = (round: string) => `standing AS (
  INSERT INTO region_state AS series (monitor_key, counts_from, last_scheduled_at, last_started_at, conclusive_at, fresh_until,
    streak_since, last_total_us, streak, kind, region, last_outcome, streak_outcome, last_status_code, alert_after,
    recover_after, failing)
  SELECT monitor_key, checks_changed, scheduled_at, scheduled_at + start_lag_ms * interval '1 ms',
    CASE WHEN conclusive THEN scheduled_at END,
    CASE WHEN conclusive THEN fresh_until ELSE checks_changed + fresh_ms * interval '1 ms' END,
    CASE WHEN conclusive THEN scheduled_at END, total_us, conclusive::integer, kind, $2::smallint, outcome,
    CASE WHEN conclusive THEN outcome ELSE 0 END, status_code, checks_before_alert, checks_before_recovery,
    CASE WHEN outcome = 1 THEN false WHEN outcome = 2 AND checks_before_alert = 1 AND fresh_until > $1::timestamptz THEN true END
  FROM (
    SELECT *, outcome IN (1, 2) AS conclusive, scheduled_at + fresh_ms * interval '1 ms' AS fresh_until FROM input
    WHERE known AND here AND is_enabled AND scheduled_at >= checks_changed AND round = ${round}
  ) AS applied
  ORDER BY monitor_key, kind
  ON CONFLICT (monitor_key, kind, region) DO UPDATE SET
    last_scheduled_at = excluded.last_scheduled_at,
    last_started_at = excluded.last_started_at,
    last_total_us = excluded.last_total_us,
    last_outcome = excluded.last_outcome,
    last_status_code = excluded.last_status_code,
    alert_after = excluded.alert_after,
    recover_after = excluded.recover_after,
    conclusive_at = coalesce(excluded.conclusive_at, series.conclusive_at),
    fresh_until = CASE WHEN excluded.streak_outcome = 0 THEN series.fresh_until ELSE excluded.fresh_until END,
    streak_outcome = CASE WHEN excluded.streak_outcome = 0 THEN series.streak_outcome ELSE excluded.streak_outcome END,
    streak = CASE excluded.streak_outcome WHEN 0 THEN series.streak WHEN series.streak_outcome THEN series.streak + 1 ELSE 1 END,
    streak_since = CASE WHEN excluded.streak_outcome IN (0, series.streak_outcome) THEN series.streak_since ELSE excluded.streak_since END,
    failing = CASE
      WHEN excluded.streak_outcome = 2 AND excluded.fresh_until > $1
        AND CASE series.streak_outcome WHEN 2 THEN series.streak + 1 ELSE 1 END >= excluded.alert_after THEN true
      WHEN excluded.streak_outcome = 1 AND (series.failing IS NULL
        OR CASE series.streak_outcome WHEN 1 THEN series.streak + 1 ELSE 1 END >= excluded.recover_after) THEN false
      ELSE series.failing END,
    settled = series.settled AND excluded.streak_outcome IN (0, series.streak_outcome),
    stale = series.stale AND (excluded.streak_outcome = 0 OR excluded.fresh_until <= $1)
  WHERE excluded.last_scheduled_at >= series.counts_from
    AND (series.last_scheduled_at IS NULL OR excluded.last_scheduled_at > series.last_scheduled_at)
  RETURNING series.monitor_key, series.settled)`;

const UNSETTLED = `ARRAY(SELECT DISTINCT monitor_key FROM standing WHERE NOT settled) AS unsettled`;

/**
 * One statement for rows and standings of a batch in which no series comes twice, which is what agents
 * send as long as nothing was held up. The measured alternatives are in docs/decisions/0003-ingest.md:
 * hand-built array literals against arrays by the driver, COPY into a temporary table, and one
 * statement for each part.
 */
const FIRST_ROUND = `WITH ${INPUT}, stored AS (
  INSERT INTO check_result (monitor_key, scheduled_at, total_us, dns_us, connect_us, tls_us, first_byte_us, transfer_us,
    agent_key, start_lag_ms, fresh_s, status_code, kind, region, outcome)
  SELECT monitor_key, scheduled_at, total_us, dns_us, connect_us, tls_us, first_byte_us, transfer_us, $4::integer,
    start_lag_ms,
    -- A result that arrives when its monitor is paused already is history, and speaks for no time after it.
    CASE WHEN is_enabled THEN (fresh_ms + 999) / 1000 ELSE 0 END,
    status_code, kind, $2::smallint, outcome
  FROM input WHERE known AND here
  ORDER BY monitor_key, kind, scheduled_at
  ON CONFLICT DO NOTHING
  RETURNING 1
), ${STANDING('1')}
SELECT (SELECT count(*) FROM stored) AS stored, ${UNSETTLED},
  (SELECT count(*) FROM input WHERE NOT known) AS unknown,
  (SELECT count(*) FROM input WHERE known AND NOT here) AS elsewhere`;

const NEXT_ROUND = `WITH ${INPUT}, ${STANDING(`$${FIRST_ARRAY + COLUMNS.length}::integer`)} SELECT $4::integer AS agent_key, ${UNSETTLED}`;

export interface IngestContext {
  now: Date;
  region: Region;
  agentKey: number;
}

export interface StoredBatch {
  stored: number;
  /** Results of monitors that are not there, or no longer. */
  unknown: number;
  /** Results of monitors that this region does not check. */
  elsewhere: number;
  /** Monitors whose verdict may move. */
  unsettled: number[];
}

export const ingestStore = {
  /** Stores the rows of a batch, and applies the first result of each series to its standing. */
  async storeFirstRound(tx: Tx, context: IngestContext, results: readonly ArrangedResult[]): Promise<StoredBatch> {
    const [row] = await tx.query<StoredBatch>(FIRST_ROUND, parametersOf(context, results));
    return row!;
  },

  /** Applies the results of a later round. @returns the monitors whose verdict may move */
  async applyRound(tx: Tx, context: IngestContext, results: readonly ArrangedResult[], round: number): Promise<number[]> {
    const [row] = await tx.query<{ unsettled: number[] }>(NEXT_ROUND, [...parametersOf(context, results), round]);
    return row!.unsettled;
  },

  /** Keeps what is known of results that are not up, and the newest failing sentence of each series. */
  async storeFailures(tx: Tx, context: IngestContext, results: readonly CheckResult[]): Promise<void> {
    await tx.query(
      `WITH failure AS MATERIALIZED (
         SELECT item.*, 'epoch'::timestamptz + ms * interval '1 ms' AS scheduled_at
         FROM jsonb_to_recordset($1::jsonb) AS item (key bigint, ms bigint, kind smallint, phase text, reason text, message text,
           address text, lag integer, evidence jsonb, down boolean)
         JOIN verdict_subject subject ON subject.monitor_key = key
         WHERE $3::text = '${HOME_REGION}' OR $3 = ANY (subject.enabled_regions)
       ), told AS (
         UPDATE region_state SET last_message = failure.message FROM failure
         WHERE down AND region_state.monitor_key = key AND region_state.kind = failure.kind AND region = $2::smallint
           AND last_scheduled_at = scheduled_at AND last_message IS DISTINCT FROM failure.message
       )
       INSERT INTO check_failure (monitor_key, scheduled_at, kind, region, phase, reason, message, address, loop_lag_us, evidence)
       SELECT key, scheduled_at, kind, $2, phase, reason, message, address, lag, nullif(evidence, 'null') FROM failure
       ORDER BY key, kind, scheduled_at
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(results.flatMap(failureOf)), regionCode(context.region), context.region],
    );
  },
};

function parametersOf({ now, region, agentKey }: IngestContext, results: readonly ArrangedResult[]): unknown[] {
  return [now, regionCode(region), region, agentKey, ...COLUMNS.map(([, , value]) => arrayLiteral(results, value))];
}

/** Text that PostgreSQL reads as an array of numbers: a fifth faster than what the driver makes of an array. */
function arrayLiteral(results: readonly ArrangedResult[], value: (arranged: ArrangedResult) => number): string {
  let text = '{';
  for (let index = 0; index < results.length; index++) text += (index === 0 ? '' : ',') + value(results[index]!);
  return `${text}}`;
}

function failureOf({ key, scheduledAtMs, outcome, address, loopLagUs, evidence }: CheckResult): object[] {
  if (outcome.kind === 'up') return [];
  return [
    {
      key: key.monitorKey, ms: scheduledAtMs, kind: CHECK_KIND_CODES[key.kind], address, lag: int4(loopLagUs), evidence,
      phase: outcome.kind === 'down' ? outcome.phase : '', reason: outcome.reason, message: outcome.message,
      down: outcome.kind === 'down',
    },
  ];
}

function int4(value: number): number {
  return clamp(value, 0, INT4_MAX);
}

/** Whole, within bounds, and never NaN. */
function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(Math.round(value) || 0, min), max);
}
