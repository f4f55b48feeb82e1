import { regionOfCode, type Region } from '@watchpost/shared/region';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import type { Tx } from '../../../platform/db/database.js';
import type { RegionSeriesCounts } from '../series/verdict-metrics.js';

/** A series whose result is fresh until a time that is near or over. */
export interface AwaitedSeries {
  monitorKey: number;
  /** Kind and region as codes. */
  kind: number;
  region: number;
  freshUntilMs: number;
}

export interface MarkedSeries {
  monitorKey: number;
  region: Region;
  failing: boolean;
}

/** Blocks of the table; `until` is exclusive. */
export interface BlockRange {
  from: number;
  until: number;
}

export interface SeriesPart {
  /** Of the whole table. */
  blocks: number;
  /** The file of the table: another one after it was written anew, with the rows at other places. */
  file: number;
  /** Whether there are monitors whose verdict must be decided again. */
  hasToDecide: boolean;
  awaited: readonly AwaitedSeries[];
  counts: ReadonlyMap<Region, RegionSeriesCounts>;
}

interface PartRow {
  blocks: number;
  file: number;
  hasToDecide: boolean;
  keys: number[] | null;
  kinds: number[] | null;
  regions: number[] | null;
  untilMs: number[] | null;
  counts: (RegionSeriesCounts & { code: number })[] | null;
}

const SERIES = '$2::bigint[], $3::smallint[], $4::smallint[]';

export const silenceStore = {
  /**
   * Reads which series in some blocks of the table turn overdue before `horizonMs`, and counts the series in others by
   * region. The first is cheap, because it needs only a column near the start of a row. The same statement finds out whether
   * verdicts are to be decided: it asks for the oldest one, because a kept plan of whether one exists reads all monitors.
   */
  async readPart(
    tx: Tx,
    { awaited, counted }: { awaited: BlockRange; counted: BlockRange },
    nowMs: number,
    horizonMs: number,
  ): Promise<SeriesPart> {
    const [row] = await keptStatements(tx).query<PartRow>(
      `SELECT pg_relation_size('series') / current_setting('block_size')::integer AS blocks,
         pg_relation_filenode('series')::bigint AS file,
         (SELECT decide_at FROM monitor_state JOIN verdict_subject USING (monitor_key)
           WHERE decide_at <= $5 ORDER BY decide_at LIMIT 1) IS NOT NULL AS "hasToDecide",
         awaited.*, (SELECT json_agg(counted) FROM (
           SELECT region AS code, count(*) FILTER (WHERE counts_from < 'infinity') AS checks,
             count(*) FILTER (WHERE stale) AS stale, count(*) FILTER (WHERE failing AND NOT stale) AS failing,
             coalesce(extract(epoch FROM $5 - min(fresh_until) FILTER (WHERE stale)), 0)::float8 AS "silentS"
           FROM series WHERE ctid >= $3::tid AND ctid < $4::tid GROUP BY region
         ) AS counted) AS counts
       FROM (
         SELECT array_agg(monitor_key::float8) FILTER (WHERE NOT stale) AS keys,
           array_agg(kind::integer) FILTER (WHERE NOT stale) AS kinds,
           array_agg(region::integer) FILTER (WHERE NOT stale) AS regions,
           array_agg((extract(epoch FROM fresh_until) * 1000)::float8) FILTER (WHERE NOT stale) AS "untilMs"
         FROM series WHERE ctid >= $1::tid AND ctid < $2::tid AND fresh_until <= $6
       ) AS awaited`,
      [
        ...[awaited, counted].flatMap(({ from, until }) => [`(${from},0)`, `(${until},0)`]),
        new Date(nowMs),
        new Date(horizonMs),
      ],
    );
    const { blocks, file, hasToDecide, keys, kinds, regions, untilMs, counts } = row!;
    return {
      blocks,
      file,
      hasToDecide,
      awaited: (keys ?? []).map((monitorKey, index) => ({
        monitorKey,
        kind: kinds![index]!,
        region: regions![index]!,
        freshUntilMs: untilMs![index]!,
      })),
      counts: new Map((counts ?? []).map(({ code, ...of }) => [regionOfCode(code), of])),
    };
  },

  /**
   * Marks those of these series as stale whose result is no longer fresh.
   * @returns the marked series, and those that a batch has locked: they are left for the next sweep
   */
  async markStale(
    tx: Tx,
    now: Date,
    series: readonly AwaitedSeries[],
  ): Promise<{ marked: MarkedSeries[]; locked: AwaitedSeries[] }> {
    if (series.length === 0) return { marked: [], locked: [] };
    const rows = await tx.query<{
      key: number;
      kind: number;
      region: number;
      failing: boolean | null;
      isMarked: boolean;
    }>(
      `WITH overdue AS MATERIALIZED (
         SELECT series.monitor_key, series.kind, series.region FROM unnest(${SERIES}) AS awaited (monitor_key, kind, region)
         JOIN series USING (monitor_key, kind, region) WHERE NOT stale AND fresh_until <= $1
       ), held AS (
         SELECT series.monitor_key, series.kind, series.region FROM overdue JOIN series USING (monitor_key, kind, region)
         WHERE NOT stale AND fresh_until <= $1 ORDER BY 1, 2, 3 FOR UPDATE OF series SKIP LOCKED
       ), marked AS (
         UPDATE series SET stale = true, settled = false FROM held
         WHERE series.monitor_key = held.monitor_key AND series.kind = held.kind AND series.region = held.region
         RETURNING series.monitor_key, series.kind, series.region, series.failing
       )
       SELECT monitor_key AS key, kind, region, failing, marked.monitor_key IS NOT NULL AS "isMarked"
       FROM overdue LEFT JOIN marked USING (monitor_key, kind, region)`,
      [
        now,
        series.map(({ monitorKey }) => monitorKey),
        series.map(({ kind }) => kind),
        series.map(({ region }) => region),
      ],
    );
    const ofMarked = rows.filter(({ isMarked }) => isMarked);
    const ofLocked = rows.filter(({ isMarked }) => !isMarked);
    return {
      marked: ofMarked.map(({ key, region, failing }) => ({
        monitorKey: key,
        region: regionOfCode(region),
        failing: failing === true,
      })),
      locked: ofLocked.map(({ key, kind, region }) => ({ monitorKey: key, kind, region, freshUntilMs: now.getTime() })),
    };
  },

  /** Monitors whose verdict must be decided again by now, the oldest first, at most `limit`. */
  async toDecide(tx: Tx, now: Date, limit: number): Promise<number[]> {
    return keptStatements(tx).column(
      `SELECT monitor_key AS key FROM monitor_state JOIN verdict_subject USING (monitor_key)
       WHERE decide_at <= $1 ORDER BY decide_at LIMIT $2`,
      [now, limit],
    );
  },

  /** Lets the verdicts of these monitors be decided later, but those whose rows are locked. */
  async postpone(tx: Tx, until: Date, monitorKeys: readonly number[]): Promise<void> {
    await tx.query(
      `UPDATE monitor_state SET decide_at = $2 WHERE decide_at < $2 AND monitor_key IN (
         SELECT monitor_key FROM monitor_state WHERE monitor_key = ANY ($1) ORDER BY monitor_key FOR UPDATE SKIP LOCKED)`,
      [monitorKeys, until],
    );
  },

  async countMonitors(tx: Tx): Promise<Map<string, number>> {
    const monitors = await tx.query<{ health: string; count: number }>(
      `SELECT coalesce(health_status, 'unknown') AS health, count(*) AS count FROM monitor_state state
       WHERE health_status IS NOT NULL OR EXISTS (
         SELECT FROM series WHERE series.monitor_key = state.monitor_key AND counts_from < 'infinity')
       GROUP BY 1`,
    );
    return new Map(monitors.map(({ health, count }) => [health, count]));
  },
};
