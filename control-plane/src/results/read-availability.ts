import type { Clock } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import { HOME_REGION, parseRegion, type Region } from '@watchpost/shared/region';
import type { Database } from '../db/database.js';
import { availabilityStore } from './availability-store.js';
import { decideTimeline, decideUptime } from './decide-timeline.js';
import { reportPeriod } from './report-period.js';

export interface ReportDeps {
  db: Database;
  clock: Clock;
  retentionDays: number;
}

export interface PeriodQuery {
  startDate?: number | undefined;
  endDate?: number | undefined;
}

/** Counts, uptime and timeline of a monitor. @throws Fault not_found, validation_failed */
export async function readAvailability(deps: ReportDeps, workspaceId: string, monitorId: string, query: PeriodQuery) {
  const { startMs, endMs } = reportPeriod(query, { nowMs: deps.clock.now(), retentionDays: deps.retentionDays });
  const [from, to] = [new Date(startMs), new Date(endMs)];
  return deps.db.read(async (tx) => {
    const monitor = await availabilityStore.monitor(workspaceId, tx, monitorId);
    if (!monitor) throw notFound('monitor');
    const counts = await availabilityStore.counts(workspaceId, tx, monitor.monitorKey, from, to);
    const spans = await availabilityStore.spans(workspaceId, tx, monitor.monitorKey, from, to);
    const sum = (of: 'healthy' | 'unhealthy') => counts.reduce((total, region) => total + region[of], 0);
    return {
      monitorId,
      periodStart: from.toISOString(),
      periodEnd: to.toISOString(),
      ...describeCounts(sum('healthy'), sum('unhealthy')),
      timeline: decideTimeline(spans, startMs, endMs).map((span) => ({
        start: new Date(span.startMs).toISOString(),
        end: new Date(span.endMs).toISOString(),
        status: span.status,
      })),
      regions: reportedRegions(monitor.regions, counts).map((region) => {
        const own = counts.find((count) => count.region === region);
        return { region, ...describeCounts(own?.healthy ?? 0, own?.unhealthy ?? 0) };
      }),
    };
  });
}

/** The regions that check the monitor now, and those that did in the period. */
export function reportedRegions(enabled: readonly string[], seen: readonly { region: Region }[]): Region[] {
  const now = enabled.map(parseRegion).filter((region) => region !== undefined);
  return [...new Set([HOME_REGION, ...now, ...seen.map(({ region }) => region)])];
}

/** Counts as they are shown. */
export function describeCounts(healthy: number, unhealthy: number) {
  return {
    totalChecks: healthy + unhealthy,
    healthyChecks: healthy,
    unhealthyChecks: unhealthy,
    uptimePercentage: decideUptime(healthy, unhealthy),
  };
}
