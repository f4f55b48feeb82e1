import { setTimeout as sleep } from 'node:timers/promises';
import { regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import { type DirtyBucket, markDirtyBuckets } from '../series/mark-dirty-buckets.js';

export type SuspectReason = 'correlated_failures' | 'blind_agents';

export interface OpenSuspectPeriod {
  id: string;
  region: Region;
  reason: SuspectReason;
  onsetMs: number;
  noticedMs: number;
  calmSinceMs: number | null;
}

/** A time in which the failures of a region do not count; half-open, without an end while it is open. */
export interface SuspectPeriod {
  region: Region;
  onsetMs: number;
  endedMs: number | null;
}

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;
const RETRY_MS = 25;
/** The sweep for silence waits for the judgement of regions: one that takes longer than this fails, and the sweep goes on. */
const STATEMENT_TIMEOUT_MS = 5_000;

/** Suspect periods, the same for every process. */
export const suspectPeriodStore = {
  async open(tx: Tx): Promise<OpenSuspectPeriod[]> {
    const rows = await tx.query<Omit<OpenSuspectPeriod, 'region'> & { code: number }>(
      `SELECT id, region AS code, reason, ${MS('onset')} AS "onsetMs", ${MS('noticed')} AS "noticedMs",
         ${MS('calm_since')} AS "calmSinceMs"
       FROM suspect_period WHERE ended IS NULL ORDER BY region`,
    );
    return rows.map(({ code, ...row }) => ({ ...row, region: regionOfCode(code) }));
  },

  /** The suspect periods of all regions that overlap the time from `fromMs` on. */
  async since(tx: Tx, fromMs: number): Promise<SuspectPeriod[]> {
    const rows = await tx.query<Omit<SuspectPeriod, 'region'> & { code: number }>(
      `SELECT region AS code, ${MS('onset')} AS "onsetMs", ${MS('ended')} AS "endedMs" FROM suspect_period
       WHERE ended IS NULL OR ended > $1`,
      [new Date(fromMs)],
    );
    return rows.map(({ code, ...row }) => ({ ...row, region: regionOfCode(code) }));
  },

  /**
   * Takes the lock under which suspect periods change, and waits while another process holds it.
   * @returns false after `patienceMs` without the lock
   */
  async take(tx: Tx, patienceMs: number): Promise<boolean> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const [row] = await tx.query<{ taken: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('watchpost.suspects', 0)) AS taken,
           set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', true)`,
      );
      if (row!.taken) return true;
      if (performance.now() >= until) return false;
      await sleep(RETRY_MS);
    }
  },

  async begin(tx: Tx, period: Omit<OpenSuspectPeriod, 'calmSinceMs'> & { facts: object }): Promise<void> {
    await tx.query(
      `INSERT INTO suspect_period (id, region, reason, onset, noticed, facts) VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        period.id,
        regionCode(period.region),
        period.reason,
        new Date(period.onsetMs),
        new Date(period.noticedMs),
        jsonText(period.facts),
      ],
    );
  },

  async calm(tx: Tx, id: string, sinceMs: number | null): Promise<void> {
    await tx.query('UPDATE suspect_period SET calm_since = $2 WHERE id = $1', [
      id,
      sinceMs === null ? null : new Date(sinceMs),
    ]);
  },

  async end(tx: Tx, id: string, now: Date): Promise<void> {
    await tx.query('UPDATE suspect_period SET ended = $2 WHERE id = $1', [id, now]);
  },

  /**
   * Retracts the results of a suspect region, for at most `limit` of its series: failures since the onset become
   * inconclusive, and results before it are no longer fresh. Series that a batch has locked are left for the next call.
   * Later successes count, and so do failures that the target reports over verified TLS.
   * @returns the monitors of the series
   */
  async retract(tx: Tx, { region, onsetMs }: OpenSuspectPeriod, limit: number): Promise<number[]> {
    const [code, onset] = [regionCode(region), new Date(onsetMs)];
    const retracted = await tx.query<{ key: number; kind: number; freshFrom: Date }>(
      `SELECT monitor_key AS key, kind, $2::timestamptz - (fresh_until - conclusive_at) AS "freshFrom"
       FROM series
       WHERE region = $1 AND conclusive_at IS NOT NULL AND fresh_until < 'infinity'
         AND NOT (streak_outcome = 2 AND answer_verified)
         AND (streak_outcome = 2 AND (streak_since >= $2 OR NOT stale) OR conclusive_at < $2 AND NOT stale)
       ORDER BY monitor_key, kind LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [code, onset, limit],
    );
    if (retracted.length === 0) return [];
    const keys = retracted.map(({ key }) => key);
    const kinds = retracted.map(({ kind }) => kind);
    await tx.query(
      `UPDATE series SET stale = true, settled = false, fresh_until = least(fresh_until, greatest($2, conclusive_at)),
         -- a failure from before the onset stays as it was, and is no longer fresh
         streak = CASE WHEN since_onset THEN 0 ELSE streak END,
         streak_outcome = CASE WHEN since_onset THEN 0 ELSE streak_outcome END,
         last_outcome = CASE WHEN since_onset THEN 3 ELSE last_outcome END,
         failing = CASE WHEN since_onset THEN NULLIF(failing, true) ELSE failing END
       FROM (
         SELECT monitor_key, kind, streak_outcome = 2 AND streak_since >= $2 AS since_onset FROM series
         WHERE region = $1 AND (monitor_key, kind) IN (SELECT * FROM unnest($3::bigint[], $4::smallint[]))
       ) AS retracted
       WHERE series.region = $1 AND series.monitor_key = retracted.monitor_key AND series.kind = retracted.kind`,
      [code, onset, keys, kinds],
    );
    const changed = await tx.query<DirtyBucket>(
      `WITH changed AS (UPDATE check_result result SET outcome = CASE WHEN scheduled_at >= $2 THEN 3 ELSE outcome END,
         fresh_s = CASE WHEN scheduled_at < $2 THEN ceil(extract(epoch FROM $2 - scheduled_at))::smallint ELSE fresh_s END
       FROM unnest($3::bigint[], $4::smallint[], $5::timestamptz[]) AS retracted (key, kind, fresh_from)
       WHERE result.monitor_key = retracted.key AND result.kind = retracted.kind AND result.region = $1
         AND scheduled_at > retracted.fresh_from AND scheduled_at > $2::timestamptz - interval '3 hours'
         AND (scheduled_at >= $2 AND outcome = 2
           OR scheduled_at < $2 AND outcome IN (1, 2) AND scheduled_at + fresh_s * interval '1 s' > $2)
         AND NOT EXISTS (SELECT FROM check_failure failure WHERE failure.monitor_key = result.monitor_key
           AND failure.scheduled_at = result.scheduled_at AND failure.kind = result.kind AND failure.region = result.region
           AND failure.scheduled_at > $2::timestamptz - interval '3 hours' AND failure.answer_verified)
       RETURNING monitor_key, scheduled_at
       ) SELECT DISTINCT monitor_key AS "monitorKey", ${MS("date_trunc('hour', scheduled_at)")} AS "startsMs" FROM changed`,
      [code, onset, keys, kinds, retracted.map(({ freshFrom }) => freshFrom)],
    );
    await markDirtyBuckets(tx, changed);
    return keys;
  },
};
