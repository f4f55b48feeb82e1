import { CHECK_KIND_CODES, checkKindOfCode, type CheckKind } from '@watchpost/shared/check';
import { OUTCOME_CODES, type CheckResult } from '@watchpost/shared/outcome';
import { regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';

/** A check that began to fail in a region. */
export interface FirstFailure {
  monitorKey: number;
  kind: CheckKind;
  region: Region;
  /** When the first failing check of the streak was due. */
  sinceMs: number;
}

export interface OwnedFailure extends FirstFailure {
  /** The user who owns the workspace of the monitor. */
  owner: string;
}

/** A confirming run, as an incident's `context` shows it: durations in ms. */
export interface SecondOpinion {
  /** Where it was asked for because it failed there, and who was asked. */
  failedIn: Region;
  region: Region;
  askedAt: string;
  outcome: 'up' | 'down' | 'inconclusive';
  phase: string | null;
  reason: string | null;
  message: string | null;
  statusCode: number | null;
  address: string | null;
  responseTime: number;
}

export interface StoredOpinion extends SecondOpinion {
  monitorKey: number;
  kind: CheckKind;
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

/** Confirming runs, apart from results: they count nowhere. Of any workspace, as ingest works on them. */
export const secondOpinionStore = {
  /** Those of these failures that are the first of their streak, by a series that still says so, and that nobody asked about. */
  async firsts(tx: Tx, failures: readonly FirstFailure[], now: Date): Promise<OwnedFailure[]> {
    const rows = await tx.query<FailureRow & { owner: string }>(
      `SELECT monitor_key AS "monitorKey", kind, region, streak_since AS since, owner_id AS owner FROM unnest(${FAILURES})
         AS failure (monitor_key, kind, region, streak_since)
       JOIN series USING (monitor_key, kind, region, streak_since)
       JOIN suspect_subject USING (monitor_key)
       WHERE streak_outcome = 2 AND streak = 1 AND fresh_until > $5
         AND NOT EXISTS (SELECT FROM second_opinion asked WHERE asked.monitor_key = failure.monitor_key
           AND asked.kind = failure.kind AND asked.region = failure.region AND asked.streak_since = failure.streak_since)`,
      [...columnsOf(failures), now],
    );
    return rows.map(({ owner, ...row }) => ({ ...failureOf(row), owner }));
  },

  /** Of these failures, those that nobody asked about before: they are ours to ask about. */
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
    const said = 'result' in answer ? answer : null;
    await tx.query(
      `UPDATE second_opinion SET answered = $5, asked_region = $6, outcome = $7, result = $8, refusal = $9
       WHERE monitor_key = $1 AND kind = $2 AND region = $3 AND streak_since = $4`,
      [
        failure.monitorKey,
        CHECK_KIND_CODES[failure.kind],
        regionCode(failure.region),
        new Date(failure.sinceMs),
        now,
        said && regionCode(said.region),
        said && OUTCOME_CODES[said.result.outcome.kind],
        said && JSON.stringify(kept(said.result)),
        'refusal' in answer ? answer.refusal : null,
      ],
    );
  },

  /** What was answered about these failures. */
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

  /** At most a few thousand at a time. @returns how many are gone */
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
