import { setTimeout as sleep } from 'node:timers/promises';
import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { FEWEST_OWNERS, SUSPECT_WINDOW_MS, type SiteObservation } from './decide-correlated-failures.js';
import { dirtyBucketStore } from '../rollup/dirty-bucket-store.js';
import { AVAILABILITY_KINDS } from '../series/series.js';

export type SuspectReason = 'correlated_failures' | 'blind_agents';

export interface OpenSuspectPeriod {
  id: string;
  region: Region;
  reason: SuspectReason;
  onsetMs: number;
  noticedMs: number;
  calmSinceMs: number | null;
}

/** A stretch of time in which a region's failures are not believed; half-open, without an end while it goes on. */
export interface SuspectPeriod {
  onsetMs: number;
  endedMs: number | null;
}

const KINDS = [...AVAILABILITY_KINDS].map((kind) => CHECK_KIND_CODES[kind]);
const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;
/** Most sites of a region that are looked at, each once an owner: a sample of the largest regions. */
const MOST_SITES = 20_000;
const ASK_AGAIN_MS = 25;

/** Which regions are believed, the same for every process. */
export const suspectPeriodStore = {
  async open(tx: Tx): Promise<OpenSuspectPeriod[]> {
    const rows = await tx.query<Omit<OpenSuspectPeriod, 'region'> & { code: number }>(
      `SELECT id, region AS code, reason, ${MS('onset')} AS "onsetMs", ${MS('noticed')} AS "noticedMs",
         ${MS('calm_since')} AS "calmSinceMs"
       FROM suspect_period WHERE ended IS NULL ORDER BY region`,
    );
    return rows.map(({ code, ...row }) => ({ ...row, region: regionOfCode(code) }));
  },

  /** When the region was not believed, as far as it concerns checks due from `fromMs` on. */
  async spans(tx: Tx, region: Region, fromMs: number): Promise<SuspectPeriod[]> {
    return tx.query<SuspectPeriod>(
      `SELECT ${MS('onset')} AS "onsetMs", ${MS('ended')} AS "endedMs" FROM suspect_period
       WHERE region = $1 AND (ended IS NULL OR ended > $2)`,
      [regionCode(region), new Date(fromMs)],
    );
  },

  /**
   * Lets only one process at a time look. Whoever comes meanwhile waits for what that one finds.
   * @returns false where it takes longer than `patienceMs`
   */
  async take(tx: Tx, patienceMs: number): Promise<boolean> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const [row] = await tx.query<{ taken: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('watchpost.suspects', 0)) AS taken`,
      );
      if (row!.taken) return true;
      if (performance.now() >= until) return false;
      await sleep(ASK_AGAIN_MS);
    }
  },

  /** Regions in which checks of enough owners began to fail lately to look more closely. One read of the small table. */
  async failingRegions(tx: Tx, nowMs: number): Promise<Region[]> {
    const rows = await tx.query<{ region: number }>(
      `SELECT region FROM series JOIN suspect_subject USING (monitor_key)
       WHERE streak_outcome = 2 AND streak_since > $1 AND kind = ANY ($2) AND NOT answer_verified
       GROUP BY region HAVING count(DISTINCT owner_id) >= ${FEWEST_OWNERS} ORDER BY region`,
      [new Date(nowMs - SUSPECT_WINDOW_MS), KINDS],
    );
    return rows.map(({ region }) => regionOfCode(region));
  },

  /** What a region lately saw, by owner and site, with what others saw of the same. */
  async sites(tx: Tx, region: Region, nowMs: number): Promise<SiteObservation[]> {
    return tx.query<SiteObservation>(
      `SELECT owner_id AS owner, site, (array_agg(failed_network ORDER BY streak_since) FILTER (WHERE fails))[1] AS network,
         ${MS('min(streak_since) FILTER (WHERE fails)')} AS "failingSinceMs",
         ${MS('max(last_scheduled_at) FILTER (WHERE is_reached)')} AS "reachedMs",
         ${MS('max(last_scheduled_at) FILTER (WHERE NOT is_reached)')} AS "notReachedMs",
         CASE WHEN bool_or(down_elsewhere) THEN 'down' WHEN bool_or(up_elsewhere) THEN 'up'
           WHEN bool_or(asked_elsewhere) THEN 'pending' END AS elsewhere
       FROM (
         SELECT series.*, subject.site, subject.owner_id,
           streak_outcome = 2 AND streak_since > $2 AND NOT answer_verified AS fails,
           last_outcome = 1 OR last_outcome = 2 AND answer_verified AS is_reached
         FROM series JOIN suspect_subject subject USING (monitor_key)
         WHERE series.region = $1 AND series.kind = ANY ($3) AND counts_from < 'infinity' AND last_scheduled_at > $2
       ) AS seen
       LEFT JOIN LATERAL (
         SELECT bool_or(outcome = 1) AS up_elsewhere, bool_or(outcome = 2) AS down_elsewhere, bool_or(outcome = 0) AS asked_elsewhere
         FROM (
           SELECT CASE WHEN other.streak_outcome = 2 THEN 2 WHEN other.conclusive_at >= seen.streak_since THEN 1 ELSE 0 END AS outcome
           FROM series other
           WHERE other.monitor_key = seen.monitor_key AND other.kind = seen.kind AND other.region <> $1
             AND NOT other.stale AND other.fresh_until > $4
             AND NOT EXISTS (SELECT FROM suspect_period period WHERE period.region = other.region AND period.ended IS NULL)
           UNION ALL
           SELECT coalesce(opinion.outcome, 0) FROM second_opinion opinion
           WHERE opinion.monitor_key = seen.monitor_key AND opinion.kind = seen.kind AND opinion.region = $1
             AND opinion.streak_since = seen.streak_since
             -- another agent of the same region shares its network: that it fails there too says nothing
             AND (opinion.asked_region IS DISTINCT FROM $1 OR opinion.outcome = 1)
             -- where there was nobody to ask, nobody else looks
             AND (opinion.outcome IS NOT NULL OR opinion.answered IS NULL AND opinion.asked > $4 - interval '30 s')
         ) AS word
       ) AS others ON fails
       GROUP BY owner_id, site LIMIT ${MOST_SITES}`,
      [regionCode(region), new Date(nowMs - SUSPECT_WINDOW_MS), KINDS, new Date(nowMs)],
    );
  },

  /** Regions by what their agents, as far as they were heard of since then, say of their own networks. */
  async sights(tx: Tx, since: Date): Promise<{ region: Region; blind: number; agents: number }[]> {
    return tx.query(
      `SELECT region, count(*) FILTER (WHERE visibility = 'blind') AS blind, count(*) AS agents
       FROM agent_visibility WHERE last_seen > $1 GROUP BY region`,
      [since],
    );
  },

  async isChecked(tx: Tx, region: Region): Promise<boolean> {
    const [row] = await tx.query<{ checked: boolean }>(
      `SELECT EXISTS (SELECT FROM series WHERE region = $1 AND counts_from < 'infinity') AS checked`,
      [regionCode(region)],
    );
    return row!.checked;
  },

  async begin(tx: Tx, suspicion: Omit<OpenSuspectPeriod, 'calmSinceMs'> & { facts: object }): Promise<void> {
    await tx.query(
      `INSERT INTO suspect_period (id, region, reason, onset, noticed, facts) VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        suspicion.id,
        regionCode(suspicion.region),
        suspicion.reason,
        new Date(suspicion.onsetMs),
        new Date(suspicion.noticedMs),
        JSON.stringify(suspicion.facts),
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
   * Takes back what a suspect region said, for at most `limit` of its series: what failed there since the onset
   * says nothing, and what was fine before it speaks no further. Series that a batch is just writing are left for
   * the next time. What the region finds up from now on counts, and so does an answer over verified TLS at any time.
   * @returns the monitors of the series
   */
  async takeBack(tx: Tx, { region, onsetMs }: OpenSuspectPeriod, limit: number): Promise<number[]> {
    const [code, onset] = [regionCode(region), new Date(onsetMs)];
    const doubted = await tx.query<{ key: number; kind: number; speaksFrom: Date }>(
      `SELECT monitor_key AS key, kind, $2::timestamptz - (fresh_until - conclusive_at) AS "speaksFrom"
       FROM series
       WHERE region = $1 AND conclusive_at IS NOT NULL AND fresh_until < 'infinity'
         AND NOT (streak_outcome = 2 AND answer_verified)
         AND (streak_outcome = 2 AND (streak_since >= $2 OR NOT stale) OR conclusive_at < $2 AND NOT stale)
       ORDER BY monitor_key, kind LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [code, onset, limit],
    );
    if (doubted.length === 0) return [];
    const keys = doubted.map(({ key }) => key);
    const kinds = doubted.map(({ kind }) => kind);
    await tx.query(
      `UPDATE series SET stale = true, settled = false, fresh_until = least(fresh_until, greatest($2, conclusive_at)),
         -- what failed before the onset is another matter: it stays as it was, and says no more
         streak = CASE WHEN since_onset THEN 0 ELSE streak END,
         streak_outcome = CASE WHEN since_onset THEN 0 ELSE streak_outcome END,
         last_outcome = CASE WHEN since_onset THEN 3 ELSE last_outcome END,
         failing = CASE WHEN since_onset THEN NULLIF(failing, true) ELSE failing END
       FROM (
         SELECT monitor_key, kind, streak_outcome = 2 AND streak_since >= $2 AS since_onset FROM series
         WHERE region = $1 AND (monitor_key, kind) IN (SELECT * FROM unnest($3::bigint[], $4::smallint[]))
       ) AS doubted
       WHERE series.region = $1 AND series.monitor_key = doubted.monitor_key AND series.kind = doubted.kind`,
      [code, onset, keys, kinds],
    );
    const changed = await tx.query<{ key: number; hourMs: number }>(
      `WITH changed AS (UPDATE check_result result SET outcome = CASE WHEN scheduled_at >= $2 THEN 3 ELSE outcome END,
         fresh_s = CASE WHEN scheduled_at < $2 THEN ceil(extract(epoch FROM $2 - scheduled_at))::smallint ELSE fresh_s END
       FROM unnest($3::bigint[], $4::smallint[], $5::timestamptz[]) AS doubted (key, kind, speaks_from)
       WHERE result.monitor_key = doubted.key AND result.kind = doubted.kind AND result.region = $1
         AND scheduled_at > doubted.speaks_from AND scheduled_at > $2::timestamptz - interval '3 hours'
         AND (scheduled_at >= $2 AND outcome = 2
           OR scheduled_at < $2 AND outcome IN (1, 2) AND scheduled_at + fresh_s * interval '1 s' > $2)
         AND NOT EXISTS (SELECT FROM check_failure failure WHERE failure.monitor_key = result.monitor_key
           AND failure.scheduled_at = result.scheduled_at AND failure.kind = result.kind AND failure.region = result.region
           AND failure.scheduled_at > $2::timestamptz - interval '3 hours' AND failure.answer_verified)
       RETURNING monitor_key, scheduled_at
       ) SELECT DISTINCT monitor_key AS key, ${MS("date_trunc('hour', scheduled_at)")} AS "hourMs" FROM changed`,
      [code, onset, keys, kinds, doubted.map(({ speaksFrom }) => speaksFrom)],
    );
    await dirtyBucketStore.mark(
      tx,
      changed.map(({ key, hourMs }) => ({ monitorKey: key, startsMs: hourMs })),
      false,
    );
    return keys;
  },
};
