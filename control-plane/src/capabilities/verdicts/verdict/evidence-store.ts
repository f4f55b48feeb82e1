import { regionCode, regionOfCode } from '@watchpost/shared/region';
import { CHECK_KIND_CODES, checkKindOfCode, type CheckKind } from '@watchpost/shared/check';
import type { AddressResult, Evidence, Outcome, Timings } from '@watchpost/shared/outcome';
import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import { int4 } from '../../../platform/db/clamp.js';
import { addFailurePaths, type FailureEvidence } from '../../incidents/index.js';
import { networkOf } from '../trust/network-of.js';
import type { ResultKey, ResultOfRegion } from '../series/series.js';

type FailureRow = Pick<FailureEvidence, 'phase' | 'reason' | 'message' | 'address' | 'evidence'> &
  Timings & {
    monitorKey: number;
    kindCode: number;
    regionCode: number;
    scheduledAt: Date;
    lagMs: number;
    totalUs: number;
    statusCode: number;
  };

/**
 * Stores the evidence of results that are not healthy, and in each series the message of the newest failure, whether the
 * target itself reported it over verified TLS, or else by which answer, and its network. Without a series the kind is not checked in this region,
 * and no result was stored either. A series that another transaction is writing is skipped: this batch only repeats a
 * result of it, and waiting here could deadlock.
 * @returns the monitors of which a failing region became partial, or is so no longer
 */
export async function keepFailures(tx: Tx, results: readonly ResultOfRegion[]): Promise<number[]> {
  const failures = results.flatMap(failureOf);
  const changed = await tx.query<{ monitorKey: number }>(
    `WITH failure AS MATERIALIZED (
         SELECT item.*, 'epoch'::timestamptz + scheduled_ms * interval '1 ms' AS scheduled_at
         FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[],
           $9::text[], $10::boolean[], $11::boolean[], $12::text[], $13::smallint[], $14::integer[], $15::boolean[])
           AS item (monitor_key, scheduled_ms, kind, phase, reason, message, address, loop_lag_us, evidence, is_down, is_verified, network, region, digest, partly)
         WHERE EXISTS (SELECT FROM series WHERE series.monitor_key = item.monitor_key AND series.kind = item.kind
           AND series.region = item.region)
       ), newest AS (
         SELECT series.monitor_key, series.kind, series.region, message, is_verified, digest, network, partly, failing AND is_partial <> partly AS is_other,
           last_scheduled_at = scheduled_at AS is_last, conclusive_at = scheduled_at AS is_conclusive
         FROM failure JOIN series ON series.monitor_key = failure.monitor_key AND series.kind = failure.kind
           AND series.region = failure.region
         WHERE is_down
           AND (last_scheduled_at = scheduled_at AND last_message IS DISTINCT FROM message
             OR conclusive_at = scheduled_at AND (answer_verified <> is_verified OR answer_digest IS DISTINCT FROM digest
               OR failed_network IS DISTINCT FROM network OR is_partial <> partly))
         FOR UPDATE OF series SKIP LOCKED
       ), noted AS (
         UPDATE series SET
           last_message = CASE WHEN is_last THEN message ELSE last_message END,
           answer_verified = CASE WHEN is_conclusive THEN is_verified ELSE answer_verified END,
           answer_digest = CASE WHEN is_conclusive THEN digest ELSE answer_digest END,
           failed_network = CASE WHEN is_conclusive THEN network ELSE failed_network END,
           is_partial = CASE WHEN is_conclusive THEN partly ELSE is_partial END
         FROM newest
         WHERE series.monitor_key = newest.monitor_key AND series.kind = newest.kind AND series.region = newest.region
         RETURNING series.monitor_key, is_conclusive AND is_other AS is_other
       ), kept AS (
       INSERT INTO check_failure (monitor_key, scheduled_at, kind, region, phase, reason, message, address, loop_lag_us, evidence, answer_verified)
       SELECT monitor_key, scheduled_at, kind, region, phase, reason, message, address, loop_lag_us, evidence::jsonb, is_verified FROM failure
       ORDER BY monitor_key, kind, region, scheduled_at
       ON CONFLICT DO NOTHING
       )
       SELECT DISTINCT monitor_key AS "monitorKey" FROM noted WHERE is_other`,
    Array.from({ length: 15 }, (_, column) => failures.map((failure) => failure[column])),
  );
  return changed.map(({ monitorKey }) => monitorKey);
}

/**
 * Adds the paths that agents traced after they had reported these failures to the stored evidence, and to that of the incidents that
 * have it already. Called after all that locks verdicts.
 */
export async function keepPaths(tx: Tx, results: readonly ResultOfRegion[]): Promise<void> {
  const paths = results.flatMap(({ result: { key, outcome, scheduledAtMs, evidence }, region }) =>
    evidence?.path === undefined || outcome.kind !== 'down'
      ? []
      : [
          {
            monitorKey: key.monitorKey,
            kind: CHECK_KIND_CODES[key.kind],
            regionCode: regionCode(region),
            region,
            scheduledAt: new Date(scheduledAtMs).toISOString(),
            message: outcome.message,
            path: evidence.path,
          },
        ],
  );
  if (paths.length === 0) return;
  await tx.query(
    `UPDATE check_failure failure SET evidence = jsonb_set(evidence, '{path}', item.path)
       FROM jsonb_to_recordset($1) AS item ("monitorKey" bigint, kind smallint, "regionCode" smallint, "scheduledAt" timestamptz, path jsonb)
       WHERE failure.monitor_key = item."monitorKey" AND failure.kind = item.kind AND failure.region = item."regionCode"
         AND failure.scheduled_at = item."scheduledAt" AND NOT evidence ? 'path'
         -- constant bounds, without which the planner opens the partitions of all days
         AND failure.scheduled_at BETWEEN $2 AND $3`,
    [
      jsonText(paths),
      new Date(Math.min(...results.map(({ result }) => result.scheduledAtMs))),
      new Date(Math.max(...results.map(({ result }) => result.scheduledAtMs))),
    ],
  );
  await addFailurePaths(tx, paths);
}

/** The failing checks with these keys, for each monitor in scheduled order. */
export async function readFailures(
  tx: Tx,
  keys: readonly ResultKey[],
): Promise<(FailureEvidence & { monitorKey: number; kind: CheckKind })[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<FailureRow>(
    // One by one: joined as a whole, the tables are read whole where the statistics are older than the failures.
    `SELECT wanted.monitor_key AS "monitorKey", wanted.kind AS "kindCode", wanted.region AS "regionCode",
         wanted.scheduled_at AS "scheduledAt", failed.*
       FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::timestamptz[]) AS wanted (monitor_key, kind, region, scheduled_at)
       CROSS JOIN LATERAL (
         SELECT phase, reason, message, address, evidence, start_lag_ms AS "lagMs", total_us AS "totalUs", status_code AS "statusCode",
           dns_us AS "dnsUs", connect_us AS "connectUs", tls_us AS "tlsUs", first_byte_us AS "firstByteUs", transfer_us AS "transferUs"
         FROM check_failure failure
           CROSS JOIN LATERAL result_row(ARRAY[wanted.monitor_key], wanted.scheduled_at, wanted.scheduled_at + interval '1 ms') result
         WHERE failure.monitor_key = wanted.monitor_key AND failure.kind = wanted.kind AND failure.region = wanted.region
           AND failure.scheduled_at = wanted.scheduled_at AND result.kind = wanted.kind AND result.region = wanted.region
           -- constant bounds, without which the planner opens the partitions of all days
           AND failure.scheduled_at BETWEEN $5 AND $6 AND result.scheduled_at BETWEEN $5 AND $6
         LIMIT 1
       ) AS failed
       ORDER BY wanted.monitor_key, wanted.scheduled_at, wanted.region`,
    [
      keys.map(({ monitorKey }) => monitorKey),
      keys.map(({ kind }) => CHECK_KIND_CODES[kind]),
      keys.map(({ region }) => regionCode(region)),
      keys.map(({ scheduledAtMs }) => new Date(scheduledAtMs)),
      new Date(Math.min(...keys.map(({ scheduledAtMs }) => scheduledAtMs))),
      new Date(Math.max(...keys.map(({ scheduledAtMs }) => scheduledAtMs))),
    ],
  );
  return rows.map(({ monitorKey, kindCode, regionCode: code, scheduledAt, lagMs, totalUs, statusCode, ...row }) => ({
    monitorKey,
    kind: checkKindOfCode(kindCode)!,
    region: regionOfCode(code),
    scheduledAt: scheduledAt.toISOString(),
    startedAt: new Date(scheduledAt.getTime() + lagMs).toISOString(),
    phase: row.phase,
    reason: row.reason,
    message: row.message,
    address: row.address,
    statusCode: statusCode === 0 ? null : statusCode,
    responseTime: totalUs / 1000,
    timings: {
      dns: row.dnsUs / 1000,
      connect: row.connectUs / 1000,
      tls: row.tlsUs / 1000,
      firstByte: row.firstByteUs / 1000,
      transfer: row.transferUs / 1000,
      ...authOf(row.evidence as Evidence | null),
    },
    evidence: row.evidence,
  }));
}

/** The time of requests for an access token, which no column has. */
function authOf(evidence: Evidence | null): { auth?: number } {
  const tokenRequests = evidence?.hops?.filter(({ isTokenRequest }) => isTokenRequest) ?? [];
  const us = tokenRequests
    .flatMap(({ timings }) => Object.values(timings) as number[])
    .reduce((sum, each) => sum + each, 0);
  return us > 0 ? { auth: us / 1000 } : {};
}

/** An address in the evidence, with the figures that callers read. */
function addressEvidence({ address, status, responseUs, message }: AddressResult) {
  return { address, status, responseTime: responseUs === null ? null : responseUs / 1_000, message };
}

function failureOf({ result, region }: ResultOfRegion): unknown[][] {
  const { key, scheduledAtMs, outcome, address, loopLagUs, evidence, answer, answerDigest, addresses } = result;
  const failure = failureWordsOf(outcome);
  if (failure === null) return [];
  return [
    [
      key.monitorKey,
      scheduledAtMs,
      CHECK_KIND_CODES[key.kind],
      failure.phase,
      failure.reason,
      failure.message,
      address,
      int4(loopLagUs),
      evidence === null
        ? null
        : jsonText(addresses ? { ...evidence, addresses: addresses.map(addressEvidence) } : evidence),
      outcome.kind === 'down',
      answer === 'verified',
      networkOf(address ?? evidence?.resolved?.[0] ?? null),
      regionCode(region),
      answerDigest ?? null,
      outcome.kind === 'down' && outcome.isPartial === true,
    ],
  ];
}

/** @returns null where there is nothing to report */
function failureWordsOf(outcome: Outcome): { phase: string; reason: string; message: string } | null {
  if (outcome.kind === 'down') return outcome;
  if (outcome.kind === 'inconclusive') return { ...outcome, phase: '' };
  const { degraded } = outcome;
  return degraded === undefined ? null : { phase: 'content', reason: 'assertion_failed', message: degraded };
}
