import type { Clock } from '@watchpost/shared/clock';
import { formatDuration } from '@watchpost/shared/duration';
import { notFound } from '@watchpost/shared/fault';
import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Database } from '../../../platform/db/database.js';
import { coarsenTimeline, coverTimeline, decideTimeline, decideUptime } from './decide-timeline.js';
import { regionSpans } from './read-joint-availability.js';
import { describeMaintenance, outsideMaintenance, readMaintenance } from './read-maintenance.js';
import { type PeriodQuery, reportPeriod } from './report-period.js';
import { bucketStore } from '../rollup/bucket-store.js';
import { readSeriesOutcomes, TIMED_KIND } from '../rollup/read-outcomes.js';
import { keptFrom } from '../rollup/retention.js';

export interface ReportDeps {
  db: Database;
  clock: Clock;
  retentionDays: number;
}

export interface RegionCounts {
  region: Region;
  healthy: number;
  unhealthy: number;
}

/** The longest timeline in an answer: a monitor that flips every minute for a year has half a million spans. */
const MOST_SPANS = 5_000;

/** The counts of a heartbeat. */
export const NO_CHECKS = { totalChecks: 0, healthyChecks: 0, unhealthyChecks: 0 };

/** Counts, uptime and timeline of a monitor. @throws Fault not_found, validation_failed */
export async function readAvailability(deps: ReportDeps, workspaceId: string, monitorId: string, query: PeriodQuery) {
  const now = { nowMs: deps.clock.now(), retentionDays: deps.retentionDays };
  const period = reportPeriod(query, now);
  return deps.db.read(async (tx) => {
    const [monitor] = await bucketStore.monitors(workspaceId, tx, { monitorId }, period);
    if (!monitor) throw notFound('monitor');
    const { monitorKey } = monitor;
    const { rowsFromMs, hoursFromMs } = keptFrom(now);
    const series = await readSeriesOutcomes(tx, workspaceId, [monitor], period, hoursFromMs);
    const maintenance = await readMaintenance(tx, workspaceId, [monitorKey], period, rowsFromMs);
    const counts = countsByRegion(outsideMaintenance(series, maintenance));
    const all = countsByRegion(series);
    const isTimed = series.some(({ kind }) => kind === TIMED_KIND);
    const measured = decideTimeline(regionSpans(series), period.startMs, period.endMs);
    const timeline = coarsenTimeline(coverTimeline(measured, maintenance.covered.get(monitorKey) ?? []), MOST_SPANS);
    return {
      monitorId,
      periodStart: new Date(period.startMs).toISOString(),
      periodEnd: new Date(period.endMs).toISOString(),
      ...describeAll(counts),
      ...describeMaintenance(maintenance, monitorKey, sumOf(all)),
      // Of heartbeats the minutes are counted, in place of checks.
      ...(isTimed ? NO_CHECKS : {}),
      sampleInterval: timeline.stepMs === null ? null : formatDuration(timeline.stepMs),
      timeline: timeline.spans.map((span) => ({
        start: new Date(span.startMs).toISOString(),
        end: new Date(span.endMs).toISOString(),
        status: span.status,
      })),
      regions: (isTimed ? [] : reportedRegions(monitor.regions, all)).map((region) => {
        const own = counts.find((count) => count.region === region);
        return { region, ...describeCounts(own?.healthy ?? 0, own?.unhealthy ?? 0) };
      }),
    };
  });
}

/** By region, over all kinds of check; regions without conclusive checks are left out. */
export function countsByRegion(series: readonly { region: number; up: number; down: number }[]): RegionCounts[] {
  const codes = [...new Set(series.filter(({ up, down }) => up + down > 0).map(({ region }) => region))];
  return codes
    .toSorted((a, b) => a - b)
    .map((code) => {
      const own = series.filter(({ region }) => region === code);
      const sum = (of: 'up' | 'down') => own.reduce((total, counts) => total + counts[of], 0);
      return { region: regionOfCode(code), healthy: sum('up'), unhealthy: sum('down') };
    });
}

/** The regions that check the monitor now, and those that did in the period. */
export function reportedRegions(now: readonly Region[], inPeriod: readonly { region: Region }[]): Region[] {
  return [...new Set([...now, ...inPeriod.map(({ region }) => region)])];
}

/** Of all regions together. */
export function describeAll(counts: readonly RegionCounts[]) {
  const { healthy, unhealthy } = sumOf(counts);
  return describeCounts(healthy, unhealthy);
}

export function sumOf(counts: readonly RegionCounts[]): { healthy: number; unhealthy: number } {
  const sum = (of: 'healthy' | 'unhealthy') => counts.reduce((total, region) => total + region[of], 0);
  return { healthy: sum('healthy'), unhealthy: sum('unhealthy') };
}

export function describeCounts(healthy: number, unhealthy: number) {
  return {
    totalChecks: healthy + unhealthy,
    healthyChecks: healthy,
    unhealthyChecks: unhealthy,
    uptimePercentage: decideUptime(healthy, unhealthy),
  };
}
