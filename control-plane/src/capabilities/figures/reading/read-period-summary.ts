import { notFound } from '@watchpost/shared/fault';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import {
  countsByRegion,
  describeAll,
  describeCounts,
  NO_CHECKS,
  reportedRegions,
  sumOf,
  type ReportDeps,
} from './read-availability.js';
import { readLatencyFigures } from './read-latency.js';
import { reportingStore } from './reporting-store.js';
import { describeMaintenance, outsideMaintenance, readMaintenance } from './read-maintenance.js';
import { type PeriodQuery, periodBefore, reportPeriod, type ReportPeriod } from './report-period.js';
import { bucketStore, type RolledMonitor } from '../rollup/bucket-store.js';
import { readSeriesOutcomes, TIMED_KIND } from '../rollup/read-outcomes.js';
import { keptFrom } from '../rollup/retention.js';
import { NO_LATENCY, type LatencyFigures, type LatencyPhases } from '../rollup/latency-figures.js';

/** Availability by HTTP, TCP and UDP checks; latency (ms) of the successful HTTP checks. */
export interface PeriodFigures {
  totalChecks: number;
  healthyChecks: number;
  unhealthyChecks: number;
  /** Four decimals; null without checks. */
  uptimePercentage: number | null;
  latency: LatencyFigures;
}

export interface PeriodSummary extends PeriodFigures {
  /** Half-open, ms since the epoch: as requested, rounded to what is kept. */
  startMs: number;
  endMs: number;
  /** How long maintenance windows covered it; checks in it are not counted. */
  maintenanceSeconds: number;
  /** As if there had been no maintenance window. */
  uptimePercentageWithMaintenance: number | null;
  /** Averages over all regions, ms. */
  phases: LatencyPhases;
  /** The home region first, then regions that check the monitor now, then those that did in the period. */
  regions: ({ region: Region; /** At any time, of any outcome and kind. */ hasResults: boolean } & PeriodFigures)[];
}

/**
 * The figures of a report for a period, and for the period of the same length before it. Counts are exact; percentiles
 * are exact for up to a day, and within 1 % for longer periods. The timeline comes from `readAvailability`, the chart from
 * `readLatency`.
 * @throws Fault not_found, validation_failed
 */
export async function readPeriodSummary(
  deps: ReportDeps,
  workspaceId: string,
  monitorId: string,
  query: PeriodQuery,
): Promise<{ current: PeriodSummary; previous: PeriodSummary }> {
  const now = { nowMs: deps.clock.now(), retentionDays: deps.retentionDays };
  const current = reportPeriod(query, now);
  const previous = periodBefore(current, now);
  return deps.db.read(async (tx) => {
    const both = { startMs: previous.startMs, endMs: current.endMs };
    const [monitor] = await bucketStore.monitors(workspaceId, tx, { monitorId }, both);
    if (!monitor) throw notFound('monitor');
    return {
      current: await summaryOf(tx, workspaceId, monitor, current, keptFrom(now)),
      previous: await summaryOf(tx, workspaceId, monitor, previous, keptFrom(now)),
    };
  });
}

async function summaryOf(
  tx: Tx,
  workspaceId: string,
  monitor: RolledMonitor,
  period: ReportPeriod,
  { rowsFromMs, hoursFromMs }: ReturnType<typeof keptFrom>,
): Promise<PeriodSummary> {
  const series = await readSeriesOutcomes(tx, workspaceId, [monitor], period, hoursFromMs);
  const maintenance = await readMaintenance(tx, workspaceId, [monitor.monitorKey], period, rowsFromMs);
  const counts = countsByRegion(outsideMaintenance(series, maintenance));
  const all = countsByRegion(series);
  const isTimed = series.some(({ kind }) => kind === TIMED_KIND);
  const reporting = new Set(await reportingStore.regionsWithResults(workspaceId, tx, monitor.monitorKey));
  const figures = await readLatencyFigures(tx, workspaceId, monitor, period, rowsFromMs);
  const latencyOf = (region: Region | null) => figures.find((row) => row.region === region) ?? NO_LATENCY;
  const { dns, connect, tls, firstByte, transfer } = latencyOf(null);
  return {
    ...period,
    ...describeAll(counts),
    ...describeMaintenance(maintenance, monitor.monitorKey, sumOf(all)),
    ...(isTimed ? NO_CHECKS : {}),
    latency: durationsOf(latencyOf(null)),
    phases: { dns, connect, tls, firstByte, transfer },
    regions: (isTimed ? [] : reportedRegions(monitor.regions, all)).map((region) => {
      const own = counts.find((count) => count.region === region);
      const latency = durationsOf(latencyOf(region));
      const hasResults = all.some((count) => count.region === region) || reporting.has(region);
      return { region, hasResults, ...describeCounts(own?.healthy ?? 0, own?.unhealthy ?? 0), latency };
    }),
  };
}

function durationsOf({ checks, average, p50, p90, p95, p99, min, max }: LatencyFigures): LatencyFigures {
  return { checks, average, p50, p90, p95, p99, min, max };
}
