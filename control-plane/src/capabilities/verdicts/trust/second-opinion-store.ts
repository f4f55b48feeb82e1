import { CHECK_KIND_CODES, checkKindOfCode, type CheckKind } from '@watchpost/shared/check';
import { OUTCOME_CODES, type CheckResult } from '@watchpost/shared/outcome';
import { regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import type { SecondOpinion } from '../../incidents/index.js';

/** A check that began to fail in a region. */
export interface FirstFailure {
  monitorKey: number;
  kind: CheckKind;
  region: Region;
  /** Scheduled time of the first failing check of the streak. */
  sinceMs: number;
}

export interface OwnedFailure extends FirstFailure {
  /** The user who owns the workspace of the monitor. */
  owner: string;
  /** True where the check can be made again without changing anything, or its monitor is marked as safe to repeat. */
  isRepeatable: boolean;
}

/** A confirming run. What is beyond `SecondOpinion` is also in the `context` of its incident. */
export interface StoredOpinion extends SecondOpinion {
  monitorKey: number;
  kind: CheckKind;
  /** The region in which the check failed; `region` is the one that was asked. */
  failedIn: Region;
  phase: string | null;
  reason: string | null;
  address: string | null;
}

const OUTCOME_OF_CODE = new Map<number, string>(Object.entries(OUTCOME_CODES).map(([name, code]) => [code, name]));
const PURGE_LIMIT = 10_000;
const FAILURES = '$1::bigint[], $2::smallint[], $3::smallint[], $4::timestamptz[]';

interface FailureRow {
  monitorKey: number;
  kind: number;
  region: number;
  since: Date;
}

/** Second opinions, separate from results and not counted anywhere. Of any workspace, like ingest. */
export const secondOpinionStore = {
  /** Those of the failures that are the first of their streak, in a series that is still fresh, without a second opinion. */
  async firsts(tx: Tx, failures: readonly FirstFailure[], now: Date): Promise<OwnedFailure[]> {
    const rows = await tx.query<FailureRow & Pick<OwnedFailure, 'owner' | 'isRepeatable'>>(
      // Series by series: joined as a whole, each call would read all that fail.
      `SELECT monitor_key AS "monitorKey", kind, region, streak_since AS since, owner_id AS owner,
         kind <> ${CHECK_KIND_CODES.http} OR settings @@ '$.http.safeToRepeat == true'
           OR NOT settings @? '$.http.steps[*] ? (@.method != "GET" && @.method != "HEAD")' AS "isRepeatable"
       FROM unnest(${FAILURES})
         AS failure (monitor_key, kind, region, streak_since)
       CROSS JOIN LATERAL (
         SELECT series.streak_since AS began, streak_outcome, streak, fresh_until FROM series
         WHERE series.monitor_key = failure.monitor_key AND series.kind = failure.kind AND series.region = failure.region LIMIT 1
       ) AS own
       JOIN suspect_subject USING (monitor_key) JOIN verdict_subject USING (monitor_key)
       WHERE began = streak_since AND streak_outcome = 2 AND streak = 1 AND fresh_until > $5
         AND NOT EXISTS (SELECT FROM second_opinion asked WHERE asked.monitor_key = failure.monitor_key
           AND asked.kind = failure.kind AND asked.region = failure.region AND asked.streak_since = failure.streak_since)`,
      [...columnsOf(failures), now],
    );
    return rows.map(({ owner, isRepeatable, ...row }) => ({ ...failureOf(row), owner, isRepeatable }));
  },

  /** Claims failures. @returns those that no other process has claimed */
  async claim(tx: Tx, failures: readonly FirstFailure[], now: Date): Promise<FirstFailure[]> {
    const rows = await tx.query<FailureRow>(
      `INSERT INTO second_opinion (monitor_key, kind, region, streak_since, asked)
       SELECT *, $5::timestamptz FROM unnest(${FAILURES}) AS failure (monitor_key, kind, region, streak_since)
       ORDER BY 1, 2, 3, 4
       ON CONFLICT DO NOTHING RETURNING monitor_key AS "monitorKey", kind, region, streak_since AS since`,
      [...columnsOf(failures), now],
    );
    return rows.map(failureOf);
  },

  async answer(
    tx: Tx,
    failure: FirstFailure,
    answer: { region: Region; result: CheckResult } | { refusal: string },
    now: Date,
  ): Promise<void> {
    const answered = 'result' in answer ? answer : null;
    await tx.query(
      `UPDATE second_opinion SET answered = $5, asked_region = $6, outcome = $7, result = $8, refusal = $9
       WHERE monitor_key = $1 AND kind = $2 AND region = $3 AND streak_since = $4`,
      [
        failure.monitorKey,
        CHECK_KIND_CODES[failure.kind],
        regionCode(failure.region),
        new Date(failure.sinceMs),
        now,
        answered && regionCode(answered.region),
        answered && OUTCOME_CODES[answered.result.outcome.kind],
        answered && jsonText(kept(answered.result)),
        'refusal' in answer ? answer.refusal : null,
      ],
    );
  },

  /** The answered second opinions on these failures. */
  async about(tx: Tx, failures: readonly FirstFailure[]): Promise<StoredOpinion[]> {
    if (failures.length === 0) return [];
    const rows = await tx.query<{
      monitorKey: number;
      kind: number;
      failedIn: number;
      region: number;
      asked: Date;
      outcome: number;
      result: ReturnType<typeof kept>;
    }>(
      `SELECT opinion.monitor_key AS "monitorKey", opinion.kind, opinion.region AS "failedIn", asked_region AS region, asked, outcome, result
       FROM unnest(${FAILURES}) AS wanted (monitor_key, kind, region, streak_since)
       JOIN second_opinion opinion USING (monitor_key, kind, region, streak_since)
       WHERE outcome IS NOT NULL ORDER BY asked`,
      columnsOf(failures),
    );
    return rows.map(({ monitorKey, kind, failedIn, region, asked, outcome, result }) => ({
      monitorKey,
      kind: checkKindOfCode(kind)!,
      failedIn: regionOfCode(failedIn),
      region: regionOfCode(region),
      askedAt: asked.toISOString(),
      outcome: OUTCOME_OF_CODE.get(outcome) as SecondOpinion['outcome'],
      ...result,
    }));
  },

  /**
   * Whether the second opinions that were asked for on these failures are outstanding, and whether a region that is not
   * suspect confirms the failure. One without an answer is outstanding for 30 s.
   */
  async opinionsOn(
    tx: Tx,
    failures: readonly FirstFailure[],
    now: Date,
  ): Promise<{ monitorKey: number; state: 'pending' | 'confirmed' | 'other' }[]> {
    if (failures.length === 0) return [];
    return tx.query(
      `SELECT monitor_key AS "monitorKey", CASE
           WHEN answered IS NULL AND asked > $5::timestamptz - interval '30 s' THEN 'pending'
           WHEN outcome = 2 AND asked_region <> opinion.region AND NOT EXISTS (
             SELECT FROM suspect_period period WHERE period.region = asked_region AND ended IS NULL) THEN 'confirmed'
           ELSE 'other' END AS state
       FROM unnest(${FAILURES}) AS wanted (monitor_key, kind, region, streak_since)
       JOIN second_opinion opinion USING (monitor_key, kind, region, streak_since)`,
      [...columnsOf(failures), now],
    );
  },

  /** Deletes a limited number. @returns how many were deleted */
  async purge(tx: Tx, before: Date): Promise<number> {
    return tx.execute(
      `DELETE FROM second_opinion WHERE ctid IN (SELECT ctid FROM second_opinion WHERE asked < $1 LIMIT ${PURGE_LIMIT})`,
      [before],
    );
  },
};

function columnsOf(failures: readonly FirstFailure[]): unknown[] {
  return [
    failures.map(({ monitorKey }) => monitorKey),
    failures.map(({ kind }) => CHECK_KIND_CODES[kind]),
    failures.map(({ region }) => regionCode(region)),
    failures.map(({ sinceMs }) => new Date(sinceMs)),
  ];
}

function failureOf({ monitorKey, kind, region, since }: FailureRow): FirstFailure {
  return { monitorKey, kind: checkKindOfCode(kind)!, region: regionOfCode(region), sinceMs: since.getTime() };
}

function kept({ outcome, statusCode, address, totalUs }: CheckResult) {
  return {
    phase: outcome.kind === 'down' ? outcome.phase : null,
    reason: outcome.kind === 'up' ? null : outcome.reason,
    message: outcome.kind === 'up' ? null : outcome.message,
    statusCode,
    address,
    responseTime: totalUs / 1_000,
  };
}
