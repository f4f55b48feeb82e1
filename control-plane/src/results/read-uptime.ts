import { notFound } from '@watchpost/shared/fault';
import { availabilityStore } from './availability-store.js';
import { decideUptime } from './decide-timeline.js';
import type { ReportDeps } from './read-availability.js';
import { reportPeriod } from './report-period.js';

export interface Uptime {
  /** HTTP, TCP and UDP checks of all regions that were due in the period; inconclusive ones do not count. */
  total: number;
  healthy: number;
  unhealthy: number;
  /** Four decimals; null without checks. */
  uptimePercentage: number | null;
}

/**
 * The uptime of a monitor over a period, half-open, and nothing else: the cheapest question of all.
 * @throws Fault not_found, validation_failed
 */
export async function readUptime(
  deps: ReportDeps,
  workspaceId: string,
  monitorId: string,
  period: { startMs: number; endMs: number },
): Promise<Uptime> {
  const { startMs, endMs } = reportPeriod(
    { startDate: period.startMs, endDate: period.endMs },
    { nowMs: deps.clock.now(), retentionDays: deps.retentionDays },
  );
  return deps.db.read(async (tx) => {
    const monitor = await availabilityStore.monitor(workspaceId, tx, monitorId);
    if (!monitor) throw notFound('monitor');
    const counts = await availabilityStore.counts(
      workspaceId,
      tx,
      monitor.monitorKey,
      new Date(startMs),
      new Date(endMs),
    );
    const healthy = counts.reduce((sum, count) => sum + count.healthy, 0);
    const unhealthy = counts.reduce((sum, count) => sum + count.unhealthy, 0);
    return { total: healthy + unhealthy, healthy, unhealthy, uptimePercentage: decideUptime(healthy, unhealthy) };
  });
}
