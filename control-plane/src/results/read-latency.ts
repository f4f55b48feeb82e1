import { notFound } from '@watchpost/shared/fault';
import type { Region } from '@watchpost/shared/region';
import { availabilityStore } from './availability-store.js';
import { latencyStore, NO_LATENCY, type LatencyPoint } from './latency-store.js';
import { reportedRegions, type PeriodQuery, type ReportDeps } from './read-availability.js';
import { reportPeriod } from './report-period.js';

export interface LatencyQuery extends PeriodQuery {
  /** Most points of a series. */
  points: number;
}

/** Shorter buckets than this show single checks and nothing else. */
const SHORTEST_BUCKET_MS = 1_000;

/** Latency of a monitor's successful checks, in ms. @throws Fault not_found, validation_failed */
export async function readLatency(deps: ReportDeps, workspaceId: string, monitorId: string, query: LatencyQuery) {
  const { startMs, endMs } = reportPeriod(query, { nowMs: deps.clock.now(), retentionDays: deps.retentionDays });
  const [from, to] = [new Date(startMs), new Date(endMs)];
  const bucketMs = Math.max(SHORTEST_BUCKET_MS, Math.ceil((endMs - startMs) / query.points));
  return deps.db.read(async (tx) => {
    const monitor = await availabilityStore.monitor(workspaceId, tx, monitorId);
    if (!monitor) throw notFound('monitor');
    const figures = await latencyStore.figures(workspaceId, tx, monitor.monitorKey, from, to);
    const series = await latencyStore.series(workspaceId, tx, monitor.monitorKey, from, to, bucketMs);
    const pointsOf = (region: Region | null) =>
      series.filter((point) => point.region === region).map((point) => describePoint(point, startMs, bucketMs));
    const { average, p50, p90, p95, p99, min, max, dns, connect, tls, firstByte, transfer } =
      figures.find(({ region }) => region === null) ?? NO_LATENCY;
    const seen = figures.flatMap(({ region }) => (region === null ? [] : [{ region }]));
    return {
      monitorId,
      periodStart: from.toISOString(),
      periodEnd: to.toISOString(),
      unit: 'ms' as const,
      average,
      p50,
      p90,
      p95,
      p99,
      min,
      max,
      series: pointsOf(null),
      regions: reportedRegions(monitor.regions, seen).map((region) => {
        const own = figures.find((row) => row.region === region) ?? NO_LATENCY;
        return { region, average: own.average, p95: own.p95, p99: own.p99, series: pointsOf(region) };
      }),
      phases: { dns, connect, tls, firstByte, transfer },
    };
  });
}

function describePoint({ bucket, checks, average, p95, p99 }: LatencyPoint, startMs: number, bucketMs: number) {
  return { time: new Date(startMs + bucket * bucketMs).toISOString(), average, p95, p99, checks };
}
