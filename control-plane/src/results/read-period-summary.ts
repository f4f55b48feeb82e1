import { notFound } from '@watchpost/shared/fault';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../db/database.js';
import { availabilityStore, type ReportedMonitor } from './availability-store.js';
import { latencyStore, NO_LATENCY, type LatencyFigures, type LatencyPhases } from './latency-store.js';
import { describeCounts, reportedRegions, type ReportDeps } from './read-availability.js';
import { reportPeriod, type ReportPeriod } from './report-period.js';

/** Availability and latency of a monitor over a period: HTTP, TCP and UDP checks; latency of successful HTTP checks, ms. */
export interface PeriodFigures {
  totalChecks: number;
  healthyChecks: number;
  unhealthyChecks: number;
  /** Four decimals; null without checks. */
  uptimePercentage: number | null;
  latency: LatencyFigures;
}

export interface PeriodSummary extends PeriodFigures {
  /** Half-open, ms since the epoch: as asked for, or as far as it can be told. */
  startMs: number;
  endMs: number;
  /** Averages over all regions, ms. */
  phases: LatencyPhases;
  /** The home region first, then those that check the monitor now, then those that did in the period. */
  regions: ({ region: Region } & PeriodFigures)[];
}

/**
 * What reports say of a period, and of the period of the same length before it; the timeline and the series
 * over time come from `readAvailability` and `readLatency`.
 * @throws Fault not_found, validation_failed
 */
export async function readPeriodSummary(
  deps: ReportDeps,
  workspaceId: string,
  monitorId: string,
  { startMs, endMs }: ReportPeriod,
): Promise<{ current: PeriodSummary; previous: PeriodSummary }> {
  const now = { nowMs: deps.clock.now(), retentionDays: deps.retentionDays };
  const current = reportPeriod({ startDate: startMs, endDate: endMs }, now);
  const previous = { startMs: startMs - (endMs - startMs), endMs: startMs };
  return deps.db.read(async (tx) => {
    const monitor = await availabilityStore.monitor(workspaceId, tx, monitorId);
    if (!monitor) throw notFound('monitor');
    return {
      current: await summaryOf(tx, workspaceId, monitor, current),
      previous: await summaryOf(tx, workspaceId, monitor, previous),
    };
  });
}

async function summaryOf(
  tx: Tx,
  workspaceId: string,
  { monitorKey, regions }: ReportedMonitor,
  { startMs, endMs }: ReportPeriod,
): Promise<PeriodSummary> {
  const [from, to] = [new Date(startMs), new Date(endMs)];
  const counts = await availabilityStore.counts(workspaceId, tx, monitorKey, from, to);
  const figures = await latencyStore.figures(workspaceId, tx, monitorKey, from, to);
  const { phases, ...all } = latencyOf(figures.find(({ region }) => region === null));
  const sum = (of: 'healthy' | 'unhealthy') => counts.reduce((total, count) => total + count[of], 0);
  return {
    startMs,
    endMs,
    ...describeCounts(sum('healthy'), sum('unhealthy')),
    latency: all.latency,
    phases,
    regions: reportedRegions(regions, counts).map((region) => {
      const own = counts.find((count) => count.region === region);
      const { latency } = latencyOf(figures.find((row) => row.region === region));
      return { region, ...describeCounts(own?.healthy ?? 0, own?.unhealthy ?? 0), latency };
    }),
  };
}

function latencyOf(row: (LatencyFigures & LatencyPhases) | undefined) {
  const { checks, average, p50, p90, p95, p99, min, max, dns, connect, tls, firstByte, transfer } = row ?? NO_LATENCY;
  return {
    latency: { checks, average, p50, p90, p95, p99, min, max },
    phases: { dns, connect, tls, firstByte, transfer },
  };
}
