import { notFound } from '@watchpost/shared/fault';
import { groupBy } from '@watchpost/shared/group-by';
import type { Region } from '@watchpost/shared/region';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { decideLatencySteps } from './decide-latency-steps.js';
import { latencyStore, type LatencyPoint } from './latency-store.js';
import { reportedRegions, type ReportDeps } from './read-availability.js';
import { type PeriodQuery, reportPeriod, type ReportPeriod } from './report-period.js';
import { decideBucketPlan, type BucketPlan } from '../rollup/decide-bucket-plan.js';
import { latencyFigures, NO_LATENCY, type LatencyFigures, type LatencyPhases } from '../rollup/latency-figures.js';
import {
  bucketStore,
  type LatencyPart,
  type LatencySteps,
  type PacketPart,
  type RolledMonitor,
} from '../rollup/bucket-store.js';
import { LATENCY_KINDS } from '../rollup/packets.js';
import { keptFrom } from '../rollup/retention.js';

/** With the maximum number of points in a chart. */
export type LatencyQuery = PeriodQuery & { points: number };

export type RegionLatency = { region: Region | null } & LatencyFigures & LatencyPhases;
type Series = (LatencyPoint & { region: Region | null })[];

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
    const isOfRows = isExact(period, rowsFromMs);
    const steps = isOfRows
      ? { originMs: period.startMs, stepMs: Math.max(SHORTEST_BUCKET_MS, Math.ceil(lengthOf(period) / query.points)) }
      : decideLatencySteps(period, query.points, hoursFromMs);
    const { figures, series } = isOfRows
      ? await exactLatency(tx, workspaceId, monitor, period, steps.stepMs)
      : await rolledLatency(tx, workspaceId, monitor, period, steps);
    const plan = isOfRows ? { days: [], hours: [], rows: [period] } : planOf(monitor, period, steps);
    const pings = { monitorKeys: [monitor.monitorKey], kinds: LATENCY_KINDS, plan };
    const packets = monitor.isPing ? await bucketStore.packets(workspaceId, tx, pings, steps) : null;
    const startOf = (step: number) => Math.max(steps.originMs + step * steps.stepMs, period.startMs);
    const packetsOf = (region: Region | null) =>
      packets &&
      describePackets(
        packets.filter((part) => region === null || part.region === region),
        startOf,
      );
    const pointsOf = (region: Region | null) =>
      series
        .filter((point) => point.region === region)
        .map(({ bucket, average, p50, p95, p99, checks }) => {
          return { time: new Date(startOf(bucket)).toISOString(), average, p50, p95, p99, checks };
        });
    const whole = series.filter((point) => point.region === null);
    const all = figures.find(({ region }) => region === null) ?? NO_LATENCY;
    const { average, p50, p90, p95, p99, min, max } = all;
    const reporting = [...figures, ...(packets ?? [])].flatMap(({ region }) => (region === null ? [] : [{ region }]));
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
      series: pointsOf(null).map((point, index) => ({ ...point, phases: phasesOf(whole[index]!) })),
      packets: packetsOf(null),
      regions: reportedRegions(monitor.regions, reporting).map((region) => {
        const own = figures.find((row) => row.region === region) ?? NO_LATENCY;
        const { average: ownAverage, p95: ownP95, p99: ownP99 } = own;
        const lines = { series: pointsOf(region), packets: packetsOf(region) };
        return { region, average: ownAverage, p95: ownP95, p99: ownP99, ...lines };
      }),
      phases: phasesOf(all),
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

function phasesOf({ dns, connect, tls, firstByte, transfer }: LatencyPhases): LatencyPhases {
  return { dns, connect, tls, firstByte, transfer };
}

function isExact(period: ReportPeriod, rowsFromMs: number): boolean {
  return lengthOf(period) <= EXACT_MS && period.startMs >= rowsFromMs;
}

function lengthOf({ startMs, endMs }: ReportPeriod): number {
  return endMs - startMs;
}

/** The packets of pings of one region or several, together and by step. */
function describePackets(parts: readonly PacketPart[], startOf: (step: number) => number) {
  const countsOf = (some: readonly PacketPart[]) => {
    const sum = (of: 'sent' | 'received') => some.reduce((total, part) => total + part[of], 0);
    const [sent, received] = [sum('sent'), sum('received')];
    return { sent, received, lossPercent: sent === 0 ? null : Math.round((10_000 * (sent - received)) / sent) / 100 };
  };
  const series = [...groupBy(parts, ({ step }) => step)]
    .toSorted(([a], [b]) => a - b)
    .map(([step, own]) => ({ time: new Date(startOf(step)).toISOString(), ...countsOf(own) }))
    .filter(({ sent }) => sent > 0);
  return { ...countsOf(parts), series };
}

async function exactLatency(
  tx: Tx,
  workspaceId: string,
  { monitorKey }: RolledMonitor,
  { startMs, endMs }: ReportPeriod,
  bucketMs: number,
): Promise<{ figures: RegionLatency[]; series: Series }> {
  const [from, to] = [new Date(startMs), new Date(endMs)];
  const figures = await latencyStore.figures(workspaceId, tx, monitorKey, from, to);
  const series = await latencyStore.series(workspaceId, tx, monitorKey, from, to, bucketMs);
  return { figures, series };
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
      figuresByRegion(own).map(({ average, p50, p95, p99, ...figures }) => ({
        ...figures,
        bucket: step,
        average: average ?? 0,
        p50: p50 ?? 0,
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
  const plan = planOf(monitor, period, steps);
  const query = { monitorKeys: [monitor.monitorKey], kinds: LATENCY_KINDS, plan };
  return bucketStore.latency(workspaceId, tx, query, steps);
}

function planOf(monitor: RolledMonitor, period: ReportPeriod, steps: LatencySteps | null): BucketPlan {
  return decideBucketPlan(period, monitor, steps === null || steps.stepMs % DAY_MS === 0 ? 'day' : 'hour');
}

function figuresByRegion(parts: readonly LatencyPart[]): RegionLatency[] {
  const regions = new Set<Region | null>([null, ...parts.map(({ region }) => region)]);
  return [...regions].flatMap((region) => {
    const figures = latencyFigures(region === null ? parts : parts.filter((part) => part.region === region));
    return figures ? [{ region, ...figures }] : [];
  });
}
