import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { notFound } from '@watchpost/shared/fault';
import type { Region } from '@watchpost/shared/region';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { decideLatencySteps } from './decide-latency-steps.js';
import { latencyStore, type LatencyPoint } from './latency-store.js';
import { reportedRegions, type ReportDeps } from './read-availability.js';
import { type PeriodQuery, reportPeriod, type ReportPeriod } from './report-period.js';
import { decideBucketPlan } from '../rollup/decide-bucket-plan.js';
import { latencyFigures, NO_LATENCY, type LatencyFigures, type LatencyPhases } from '../rollup/latency-figures.js';
import { bucketStore, type LatencyPart, type LatencySteps, type RolledMonitor } from '../rollup/bucket-store.js';
import { keptFrom } from '../rollup/retention.js';

/** With the maximum number of points in a chart. */
export type LatencyQuery = PeriodQuery & { points: number };

export type RegionLatency = { region: Region | null } & LatencyFigures & LatencyPhases;
type Series = (LatencyPoint & { region: Region | null; startMs: number })[];

/** Shorter steps would show single checks only. */
const SHORTEST_BUCKET_MS = 1_000;
/** Periods up to this length are read from the rows: percentiles are exact, and steps may have any length. */
const EXACT_MS = DAY_MS;

/** Latency of a monitor's successful checks, in ms. @throws Fault not_found, validation_failed */
export async function readLatency(deps: ReportDeps, workspaceId: string, monitorId: string, query: LatencyQuery) {
  const now = { nowMs: deps.clock.now(), retentionDays: deps.retentionDays };
  const period = reportPeriod(query, now);
  const { rowsFromMs, hoursFromMs } = keptFrom(now);
  return deps.db.read(async (tx) => {
    const [monitor] = await bucketStore.monitors(workspaceId, tx, { monitorId }, period);
    if (!monitor) throw notFound('monitor');
    const { figures, series } = isExact(period, rowsFromMs)
      ? await exactLatency(tx, workspaceId, monitor, period, query.points)
      : await rolledLatency(tx, workspaceId, monitor, period, decideLatencySteps(period, query.points, hoursFromMs));
    const pointsOf = (region: Region | null) =>
      series
        .filter((point) => point.region === region)
        .map(({ startMs, average, p95, p99, checks }) => {
          const time = new Date(Math.max(startMs, period.startMs)).toISOString();
          return { time, average, p95, p99, checks };
        });
    const { average, p50, p90, p95, p99, min, max, dns, connect, tls, firstByte, transfer } =
      figures.find(({ region }) => region === null) ?? NO_LATENCY;
    const regions = figures.flatMap(({ region }) => (region === null ? [] : [{ region }]));
    return {
      monitorId,
      periodStart: new Date(period.startMs).toISOString(),
      periodEnd: new Date(period.endMs).toISOString(),
      unit: 'ms' as const,
      average,
      p50,
      p90,
      p95,
      p99,
      min,
      max,
      series: pointsOf(null),
      regions: reportedRegions(monitor.regions, regions).map((region) => {
        const own = figures.find((row) => row.region === region) ?? NO_LATENCY;
        return { region, average: own.average, p95: own.p95, p99: own.p99, series: pointsOf(region) };
      }),
      phases: { dns, connect, tls, firstByte, transfer },
    };
  });
}

/** Figures of all regions together (region null) and of each, exact where the period allows it. */
export async function readLatencyFigures(
  tx: Tx,
  workspaceId: string,
  monitor: RolledMonitor,
  period: ReportPeriod,
  rowsFromMs: number,
): Promise<RegionLatency[]> {
  if (isExact(period, rowsFromMs)) {
    return latencyStore.figures(workspaceId, tx, monitor.monitorKey, new Date(period.startMs), new Date(period.endMs));
  }
  return figuresByRegion(await partsOf(tx, workspaceId, monitor, period, null));
}

function isExact({ startMs, endMs }: ReportPeriod, rowsFromMs: number): boolean {
  return endMs - startMs <= EXACT_MS && startMs >= rowsFromMs;
}

async function exactLatency(
  tx: Tx,
  workspaceId: string,
  { monitorKey }: RolledMonitor,
  { startMs, endMs }: ReportPeriod,
  points: number,
): Promise<{ figures: RegionLatency[]; series: Series }> {
  const [from, to] = [new Date(startMs), new Date(endMs)];
  const bucketMs = Math.max(SHORTEST_BUCKET_MS, Math.ceil((endMs - startMs) / points));
  const figures = await latencyStore.figures(workspaceId, tx, monitorKey, from, to);
  const series = await latencyStore.series(workspaceId, tx, monitorKey, from, to, bucketMs);
  return { figures, series: series.map((point) => ({ ...point, startMs: startMs + point.bucket * bucketMs })) };
}

async function rolledLatency(
  tx: Tx,
  workspaceId: string,
  monitor: RolledMonitor,
  period: ReportPeriod,
  steps: LatencySteps,
): Promise<{ figures: RegionLatency[]; series: Series }> {
  const parts = await partsOf(tx, workspaceId, monitor, period, steps);
  const byStep = new Map<number, LatencyPart[]>();
  for (const part of parts) byStep.set(part.step, [...(byStep.get(part.step) ?? []), part]);
  const series = [...byStep.entries()]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([step, own]) =>
      figuresByRegion(own).map(({ region, checks, average, p95, p99 }) => ({
        region,
        bucket: step,
        startMs: steps.originMs + step * steps.stepMs,
        checks,
        average: average ?? 0,
        p95: p95 ?? 0,
        p99: p99 ?? 0,
      })),
    );
  return { figures: figuresByRegion(parts), series };
}

function partsOf(
  tx: Tx,
  workspaceId: string,
  monitor: RolledMonitor,
  period: ReportPeriod,
  steps: LatencySteps | null,
): Promise<LatencyPart[]> {
  const plan = decideBucketPlan(period, monitor, steps === null || steps.stepMs % DAY_MS === 0 ? 'day' : 'hour');
  const query = { monitorKeys: [monitor.monitorKey], kinds: [CHECK_KIND_CODES.http], plan };
  return bucketStore.latency(workspaceId, tx, query, steps);
}

function figuresByRegion(parts: readonly LatencyPart[]): RegionLatency[] {
  const regions = new Set<Region | null>([null, ...parts.map(({ region }) => region)]);
  return [...regions].flatMap((region) => {
    const figures = latencyFigures(region === null ? parts : parts.filter((part) => part.region === region));
    return figures ? [{ region, ...figures }] : [];
  });
}
