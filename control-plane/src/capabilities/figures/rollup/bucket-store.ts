import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { BucketPlan, Range, RollupState } from './decide-bucket-plan.js';
import { PACKED_CHECKS, PACKED_TOTALS } from './packed-results.js';
import { PACKETS, phaseOf } from './packets.js';

export interface RolledMonitor extends RollupState {
  monitorKey: number;
  monitorId: string;
  /** The places that check it. */
  regions: Region[];
  isPing: boolean;
}

export interface PacketPart {
  region: Region;
  /** Index of the step in the period, from 0. */
  step: number;
  sent: number;
  received: number;
}

/** The outcomes of one series in one or more ranges; with spans, or the checks from which they are computed. */
export interface StoredOutcome {
  monitorKey: number;
  kind: number;
  region: number;
  up: number;
  down: number;
  spans: Buffer | null;
  /** Packed, see packed-results.ts. */
  checks: Buffer | null;
}

export interface CountPart {
  monitorKey: number;
  /** Start of the step. */
  startMs: number;
  up: number;
  down: number;
  /** Minutes of a heartbeat instead of checks. */
  isTimed?: boolean;
}

/** Checks of several monitors in a step, whatever came of them. */
export interface StepChecks {
  /** Start of the step. */
  startMs: number;
  checks: number;
}

/** Successful checks of a region; sums in µs. */
export interface LatencyPart {
  region: Region;
  /** Index of the step in the period, from 0. */
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
  /** Concatenated histograms. */
  histogram: Buffer | null;
  totals: Buffer | null;
}

/** Successful checks of a monitor in a step. */
export interface JointLatencyPart {
  monitorKey: number;
  step: number;
  minUs: number;
  maxUs: number;
  /** Concatenated histograms, or the durations of rows. */
  histogram: Buffer | null;
  totals: Buffer | null;
}

/** Steps of a period: whole hours or, where days are read, whole days. */
export interface LatencySteps {
  originMs: number;
  stepMs: number;
}

interface Query {
  monitorKeys: readonly number[];
  /** Codes. */
  kinds: readonly number[];
  plan: BucketPlan;
}

type Columns = Readonly<Record<keyof BucketPlan, string>>;

const SOURCES = {
  days: { table: 'check_rollup_day', at: 'starts_at', up: 'up > 0' },
  hours: { table: 'check_rollup', at: 'starts_at', up: 'up > 0' },
  rows: { table: null, at: 'scheduled_at', up: 'outcome = 1' },
} as const;
const SUMS = [
  ['total_us', 'totalUs'],
  ['dns_us', 'dnsUs'],
  ['connect_us', 'connectUs'],
  ['tls_us', 'tlsUs'],
  ['first_byte_us', 'firstByteUs'],
  ['transfer_us', 'transferUs'],
] as const;
/** Milliseconds of a column. `date_part` computes in float8, which is cheaper than the numeric of `extract`. */
const msOf = (column: string) => `(date_part('epoch', ${column}) * 1000)::bigint`;

/**
 * One SELECT per range. With the bounds as parameters the planner excludes the partitions of all other days without
 * opening them; a join with a list of ranges opens every partition, which costs more than the reading itself.
 */
function unionOf(plan: BucketPlan, parameters: unknown[], columns: Columns, groupBy: string, isUp = false): string {
  const branches = (['days', 'hours', 'rows'] as const).flatMap((source) =>
    plan[source].map(({ startMs, endMs }) => {
      const { table, at, up } = SOURCES[source];
      const from = `${parameter(parameters, new Date(startMs))}::timestamptz`;
      const to = `${parameter(parameters, new Date(endMs))}::timestamptz`;
      const range =
        table === null
          ? `result_row($2, ${from}, ${to}) WHERE`
          : `${table} WHERE ${at} >= ${from} AND ${at} < ${to} AND`;
      return `SELECT ${columns[source]} FROM ${range} monitor_key = ANY (ARRAY(SELECT monitor_key FROM mine))
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

/** Reads rollups, and rows where a bucket plan asks for them. */
export const bucketStore = {
  /** The monitors with this id or these keys, as far as they belong to the workspace. */
  async monitors(
    workspaceId: string,
    tx: Tx,
    which: { monitorId: string } | { monitorIds: readonly string[] } | { monitorKeys: readonly number[] },
    { startMs, endMs }: Range,
  ): Promise<RolledMonitor[]> {
    const [condition, value] =
      'monitorId' in which
        ? ['monitor_id = $2', which.monitorId]
        : 'monitorIds' in which
          ? ['monitor_id = ANY ($2::uuid[])', which.monitorIds]
          : ['monitor_key = ANY ($2)', which.monitorKeys];
    const rows = await tx.query<
      Omit<RolledMonitor, 'dirtyBuckets'> & { dirtyBuckets: [startMs: number, isDay: boolean][] | null }
    >(
      `SELECT subject.monitor_key AS "monitorKey", monitor_id AS "monitorId", subject.checked_from AS regions, 'Ping' = ANY (monitor_types) AS "isPing", ${msOf('closed_until')} AS "closedUntilMs",
         (SELECT json_agg(json_build_array(${msOf('starts_at')}, is_day)) FROM dirty_bucket bucket
          WHERE bucket.monitor_key = subject.monitor_key
            -- a result of the day before may still be fresh in the period
            AND starts_at >= date_bin('1 day', $3::timestamptz, 'epoch') - interval '1 day' AND starts_at < $4) AS "dirtyBuckets"
       FROM verdict_subject subject, rollup_progress
       WHERE workspace_id = $1 AND ${condition}`,
      [workspaceId, value, new Date(startMs), new Date(endMs)],
    );
    return rows.map(({ dirtyBuckets, ...row }) => ({
      ...row,
      dirtyBuckets: (dirtyBuckets ?? []).map(([atMs, isDay]) => ({ startMs: atMs, isDay })),
    }));
  },

  /** The outcomes of each series. Counts start at `countFrom`, which lies within no bucket that is read. */
  async outcomes(
    workspaceId: string,
    tx: Tx,
    { monitorKeys, kinds, plan }: Query,
    countFrom: Date,
  ): Promise<StoredOutcome[]> {
    const parameters: unknown[] = [workspaceId, monitorKeys, kinds, countFrom];
    const series = 'monitor_key AS "monitorKey", kind, region';
    const sum = (column: string) => `coalesce(sum(${column}) FILTER (WHERE starts_at >= $4), 0)::bigint AS ${column}`;
    const count = (outcome: number) => `count(*) FILTER (WHERE outcome = ${outcome} AND scheduled_at >= $4)`;
    const buckets = `${series}, ${sum('up')}, ${sum('down')}, string_agg(spans, ''::bytea) AS spans, NULL::bytea AS checks`;
    const rows = `${series}, ${count(1)} AS up, ${count(2)} AS down, NULL::bytea AS spans, ${PACKED_CHECKS} AS checks`;
    const columns = { days: buckets, hours: buckets, rows };
    const union = unionOf(plan, parameters, columns, 'monitor_key, kind, region');
    return union === '' ? [] : tx.query<StoredOutcome>(`${MINE} ${union}`, parameters);
  },

  /** The checks of all these monitors together, in steps of `stepMs` aligned to the epoch. */
  async checks(
    workspaceId: string,
    tx: Tx,
    { monitorKeys, kinds, plan }: Query,
    stepMs: number,
  ): Promise<StepChecks[]> {
    const parameters: unknown[] = [workspaceId, monitorKeys, kinds];
    const step = parameter(parameters, stepMs);
    const select = (at: string, count: string) =>
      `${msOf(`date_bin(${step} * interval '1 ms', ${at}, 'epoch')`)} AS "startMs", ${count} AS checks`;
    const buckets = select('starts_at', 'sum(up + down + inconclusive)::bigint');
    const columns = { days: buckets, hours: buckets, rows: select('scheduled_at', 'count(*)') };
    const union = unionOf(plan, parameters, columns, '1');
    return union === '' ? [] : tx.query<StepChecks>(`${MINE} ${union}`, parameters);
  },

  /** Counts over all regions, in steps of `stepMs` aligned to the epoch; null: one step for the whole period. */
  async counts(
    workspaceId: string,
    tx: Tx,
    { monitorKeys, kinds, plan }: Query,
    stepMs: number | null,
  ): Promise<CountPart[]> {
    const parameters: unknown[] = [workspaceId, monitorKeys, kinds];
    const step = stepMs === null ? null : parameter(parameters, stepMs);
    const startOfStep = (at: string) =>
      `${step === null ? '0::bigint' : msOf(`date_bin(${step} * interval '1 ms', ${at}, 'epoch')`)} AS start_ms`;
    const buckets = `monitor_key, ${startOfStep('starts_at')}, sum(up)::bigint AS up, sum(down)::bigint AS down`;
    const rows = `monitor_key, ${startOfStep('scheduled_at')}, count(*) FILTER (WHERE outcome = 1) AS up,
      count(*) FILTER (WHERE outcome = 2) AS down`;
    const union = unionOf(plan, parameters, { days: buckets, hours: buckets, rows }, '1, 2');
    if (union === '') return [];
    return tx.query<CountPart>(
      `${MINE} SELECT monitor_key AS "monitorKey", start_ms AS "startMs", sum(up)::bigint AS up, sum(down)::bigint AS down
       FROM (${union}) AS part GROUP BY 1, 2 HAVING sum(up) + sum(down) > 0 ORDER BY 1, 2`,
      parameters,
    );
  },

  /** The durations of successful checks of all regions together by monitor, in steps of whole hours from `originMs` on. */
  async jointLatency(
    workspaceId: string,
    tx: Tx,
    { monitorKeys, kinds, plan }: Query,
    { originMs, stepMs }: LatencySteps,
  ): Promise<JointLatencyPart[]> {
    const parameters: unknown[] = [workspaceId, monitorKeys, kinds];
    const [origin, length] = [parameter(parameters, originMs), parameter(parameters, stepMs)];
    const select = (at: string, numbers: string) =>
      `monitor_key AS "monitorKey", ((${msOf(at)} - ${origin}::bigint) / ${length}::bigint)::integer AS step, ${numbers}`;
    const buckets = select(
      'starts_at',
      `min(min_us) AS "minUs", max(max_us) AS "maxUs", string_agg(histogram, ''::bytea) AS histogram, NULL::bytea AS totals`,
    );
    const rows = select(
      'scheduled_at',
      `min(total_us) AS "minUs", max(total_us) AS "maxUs", NULL::bytea AS histogram, ${PACKED_TOTALS} AS totals`,
    );
    const union = unionOf(plan, parameters, { days: buckets, hours: buckets, rows }, '1, 2', true);
    return union === '' ? [] : tx.query<JointLatencyPart>(`${MINE} ${union}`, parameters);
  },

  /** Successful checks by region, in steps of `stepMs` from `originMs` on; null: one step for the whole period. */
  async latency(
    workspaceId: string,
    tx: Tx,
    { monitorKeys, kinds, plan }: Query,
    steps: LatencySteps | null,
  ): Promise<LatencyPart[]> {
    const parameters: unknown[] = [workspaceId, monitorKeys, kinds];
    const [origin, length] =
      steps === null ? [] : [parameter(parameters, steps.originMs), parameter(parameters, steps.stepMs)];
    const select = (at: string, numbers: string) =>
      `region AS code, ${origin === undefined ? '0' : `((${msOf(at)} - ${origin}::bigint) / ${length}::bigint)::integer`} AS step,
        ${SUMS.map(([column, name]) => `sum(${phaseOf(column)})::bigint AS "${name}"`).join(', ')}, ${numbers}`;
    const buckets = select(
      'starts_at',
      `sum(up)::bigint AS checks, min(min_us) AS "minUs", max(max_us) AS "maxUs",
       string_agg(histogram, ''::bytea) AS histogram, NULL::bytea AS totals`,
    );
    const rows = select(
      'scheduled_at',
      `count(*) AS checks, min(total_us) AS "minUs", max(total_us) AS "maxUs", NULL::bytea AS histogram, ${PACKED_TOTALS} AS totals`,
    );
    const union = unionOf(plan, parameters, { days: buckets, hours: buckets, rows }, '1, 2', true);
    if (union === '') return [];
    const parts = await tx.query<Omit<LatencyPart, 'region'> & { code: number }>(`${MINE} ${union}`, parameters);
    return parts.map(({ code, ...part }) => ({ ...part, region: regionOfCode(code) }));
  },

  /** The packets of pings by region, in steps of `stepMs` from `originMs` on. */
  async packets(
    workspaceId: string,
    tx: Tx,
    { monitorKeys, kinds, plan }: Query,
    { originMs, stepMs }: LatencySteps,
  ): Promise<PacketPart[]> {
    const parameters: unknown[] = [workspaceId, monitorKeys, kinds];
    const [origin, length] = [parameter(parameters, originMs), parameter(parameters, stepMs)];
    const select = (at: string) =>
      `region AS code, ((${msOf(at)} - ${origin}::bigint) / ${length}::bigint)::integer AS step,
        sum(${PACKETS.sent})::bigint AS sent, sum(${PACKETS.received})::bigint AS received`;
    const columns = { days: select('starts_at'), hours: select('starts_at'), rows: select('scheduled_at') };
    const union = unionOf(plan, parameters, columns, '1, 2');
    if (union === '') return [];
    const parts = await tx.query<Omit<PacketPart, 'region'> & { code: number }>(`${MINE} ${union}`, parameters);
    return parts.map(({ code, ...part }) => ({ ...part, region: regionOfCode(code) }));
  },
};
