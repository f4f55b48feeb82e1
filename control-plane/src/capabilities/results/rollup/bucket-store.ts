import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { BucketPlan, Range, RollupState } from './decide-bucket-plan.js';
import { PACKED_CHECKS, PACKED_TOTALS } from './packed-results.js';

/** A monitor of the workspace, and what of its rollups can be believed. */
export interface RolledMonitor extends RollupState {
  monitorKey: number;
  /** Enabled, as in the monitor's settings. */
  regions: string[];
}

/** What one series says in one or more pieces; with spans, or the results that they are made of. */
export interface OutcomePart {
  monitorKey: number;
  kind: number;
  region: number;
  up: number;
  down: number;
  spans: Buffer | null;
  said: Buffer | null;
}

export interface CountPart {
  monitorKey: number;
  /** When its stretch begins. */
  startMs: number;
  up: number;
  down: number;
}

/** Successful checks of a region; sums in µs. */
export interface LatencyPart {
  region: Region;
  /** Which stretch of the period, from 0. */
  step: number;
  checks: number;
  totalUs: number;
  dnsUs: number;
  connectUs: number;
  tlsUs: number;
  firstByteUs: number;
  transferUs: number;
  minUs: number;
  maxUs: number;
  /** Histograms, strung together. */
  histogram: Buffer | null;
  totals: Buffer | null;
}

/** Stretches of a period; whole hours or, where days are read, whole days. */
export interface LatencySteps {
  originMs: number;
  stepMs: number;
}

interface Asked {
  monitorKeys: readonly number[];
  /** Codes. */
  kinds: readonly number[];
  pieces: BucketPlan;
}

type Columns = Readonly<Record<keyof BucketPlan, string>>;

const SOURCES = {
  days: { table: 'check_rollup_day', at: 'starts_at', up: 'up > 0' },
  hours: { table: 'check_rollup', at: 'starts_at', up: 'up > 0' },
  rows: { table: 'check_result', at: 'scheduled_at', up: 'outcome = 1' },
} as const;
const SUMS = [
  ['total_us', 'totalUs'],
  ['dns_us', 'dnsUs'],
  ['connect_us', 'connectUs'],
  ['tls_us', 'tlsUs'],
  ['first_byte_us', 'firstByteUs'],
  ['transfer_us', 'transferUs'],
] as const;
/** Millisecond of a column, in the cheap way: `extract` counts in numeric. */
const msOf = (column: string) => `(date_part('epoch', ${column}) * 1000)::bigint`;

/**
 * One SELECT a range. With the bounds as parameters of their own the planner leaves out the partitions of all other
 * days before it looks at them; joined to a list of ranges it opens every one, which costs more than reading does.
 */
function unionOf(pieces: BucketPlan, parameters: unknown[], columns: Columns, groupBy: string, isUp = false): string {
  const branches = (['days', 'hours', 'rows'] as const).flatMap((source) =>
    pieces[source].map(({ startMs, endMs }) => {
      const { table, at, up } = SOURCES[source];
      return `SELECT ${columns[source]} FROM ${table} WHERE monitor_key = ANY (ARRAY(SELECT monitor_key FROM mine))
        AND ${at} >= ${parameter(parameters, new Date(startMs))}::timestamptz
        AND ${at} < ${parameter(parameters, new Date(endMs))}::timestamptz
        AND kind = ANY ($3) ${isUp ? `AND ${up}` : ''} GROUP BY ${groupBy}`;
    }),
  );
  return branches.join(' UNION ALL ');
}

function parameter(parameters: unknown[], value: unknown): string {
  return `$${parameters.push(value)}`;
}

const MINE = `WITH mine AS MATERIALIZED (
  SELECT monitor_key FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = ANY ($2))`;

/** Reads what the rollups and, where they do not say it, the rows hold. */
export const bucketStore = {
  /** Those of the monitors, by id or by key, that the workspace has. */
  async monitors(
    workspaceId: string,
    tx: Tx,
    which: { monitorId: string } | { monitorKeys: readonly number[] },
    { startMs, endMs }: Range,
  ): Promise<RolledMonitor[]> {
    const rows = await tx.query<Omit<RolledMonitor, 'marks'> & { marks: [startMs: number, isDay: boolean][] | null }>(
      `SELECT subject.monitor_key AS "monitorKey", subject.enabled_regions AS regions, ${msOf('closed_until')} AS "closedUntilMs",
         (SELECT json_agg(json_build_array(${msOf('starts_at')}, is_day)) FROM dirty_bucket bucket
          WHERE bucket.monitor_key = subject.monitor_key
            -- what was said the day before may still speak into the period
            AND starts_at >= date_bin('1 day', $3::timestamptz, 'epoch') - interval '1 day' AND starts_at < $4) AS marks
       FROM verdict_subject subject, rollup_progress
       WHERE workspace_id = $1 AND ${'monitorId' in which ? 'monitor_id = $2' : 'monitor_key = ANY ($2)'}`,
      [workspaceId, 'monitorId' in which ? which.monitorId : which.monitorKeys, new Date(startMs), new Date(endMs)],
    );
    return rows.map(({ marks, ...row }) => ({
      ...row,
      marks: (marks ?? []).map(([atMs, isDay]) => ({ startMs: atMs, isDay })),
    }));
  },

  /** What each series says; counts only of what was due from `countFrom` on, which no bucket straddles. */
  async said(
    workspaceId: string,
    tx: Tx,
    { monitorKeys, kinds, pieces }: Asked,
    countFrom: Date,
  ): Promise<OutcomePart[]> {
    const parameters: unknown[] = [workspaceId, monitorKeys, kinds, countFrom];
    const series = 'monitor_key AS "monitorKey", kind, region';
    const sum = (column: string) => `coalesce(sum(${column}) FILTER (WHERE starts_at >= $4), 0)::bigint AS ${column}`;
    const count = (outcome: number) => `count(*) FILTER (WHERE outcome = ${outcome} AND scheduled_at >= $4)`;
    const buckets = `${series}, ${sum('up')}, ${sum('down')}, string_agg(spans, ''::bytea) AS spans, NULL::bytea AS said`;
    const rows = `${series}, ${count(1)} AS up, ${count(2)} AS down, NULL::bytea AS spans, ${PACKED_CHECKS} AS said`;
    const columns = { days: buckets, hours: buckets, rows };
    const union = unionOf(pieces, parameters, columns, 'monitor_key, kind, region');
    return union === '' ? [] : tx.query<OutcomePart>(`${MINE} ${union}`, parameters);
  },

  /** Counts over all regions, in stretches of `stepMs` from the epoch on, or in one of everything. */
  async counts(
    workspaceId: string,
    tx: Tx,
    { monitorKeys, kinds, pieces }: Asked,
    stepMs: number | null,
  ): Promise<CountPart[]> {
    const parameters: unknown[] = [workspaceId, monitorKeys, kinds];
    const step = stepMs === null ? null : parameter(parameters, stepMs);
    const stretch = (at: string) =>
      `${step === null ? '0::bigint' : msOf(`date_bin(${step} * interval '1 ms', ${at}, 'epoch')`)} AS start_ms`;
    const buckets = `monitor_key, ${stretch('starts_at')}, sum(up)::bigint AS up, sum(down)::bigint AS down`;
    const rows = `monitor_key, ${stretch('scheduled_at')}, count(*) FILTER (WHERE outcome = 1) AS up,
      count(*) FILTER (WHERE outcome = 2) AS down`;
    const union = unionOf(pieces, parameters, { days: buckets, hours: buckets, rows }, '1, 2');
    if (union === '') return [];
    return tx.query<CountPart>(
      `${MINE} SELECT monitor_key AS "monitorKey", start_ms AS "startMs", sum(up)::bigint AS up, sum(down)::bigint AS down
       FROM (${union}) AS part GROUP BY 1, 2 HAVING sum(up) + sum(down) > 0 ORDER BY 1, 2`,
      parameters,
    );
  },

  /** Successful checks by region and, from `originMs` on, in stretches of `stepMs`, or in one of everything. */
  async latency(
    workspaceId: string,
    tx: Tx,
    { monitorKeys, kinds, pieces }: Asked,
    steps: LatencySteps | null,
  ): Promise<LatencyPart[]> {
    const parameters: unknown[] = [workspaceId, monitorKeys, kinds];
    const [origin, length] =
      steps === null ? [] : [parameter(parameters, steps.originMs), parameter(parameters, steps.stepMs)];
    const select = (at: string, numbers: string) =>
      `region AS code, ${origin === undefined ? '0' : `((${msOf(at)} - ${origin}::bigint) / ${length}::bigint)::integer`} AS step,
        ${SUMS.map(([column, name]) => `sum(${column})::bigint AS "${name}"`).join(', ')}, ${numbers}`;
    const buckets = select(
      'starts_at',
      `sum(up)::bigint AS checks, min(min_us) AS "minUs", max(max_us) AS "maxUs",
       string_agg(histogram, ''::bytea) AS histogram, NULL::bytea AS totals`,
    );
    const rows = select(
      'scheduled_at',
      `count(*) AS checks, min(total_us) AS "minUs", max(total_us) AS "maxUs", NULL::bytea AS histogram, ${PACKED_TOTALS} AS totals`,
    );
    const union = unionOf(pieces, parameters, { days: buckets, hours: buckets, rows }, '1, 2', true);
    if (union === '') return [];
    const parts = await tx.query<Omit<LatencyPart, 'region'> & { code: number }>(`${MINE} ${union}`, parameters);
    return parts.map(({ code, ...part }) => ({ ...part, region: regionOfCode(code) }));
  },
};
