import { notFound } from '@watchpost/shared/fault';
import { decideUptime } from './decide-timeline.js';
import type { ReportDeps } from './read-availability.js';
import { reportPeriod, type ReportPeriod } from './report-period.js';
import { bucketStore } from '../rollup/bucket-store.js';
import { readOutcomeCounts } from '../rollup/read-outcomes.js';

export interface Uptime extends ReportPeriod {
  /** Conclusive HTTP, TCP and UDP checks of all regions scheduled in the period. */
  total: number;
  healthy: number;
  unhealthy: number;
  /** Four decimals; null without checks. */
  uptimePercentage: number | null;
}

/**
 * The uptime of a monitor over a half-open period of up to 400 days, at the lowest cost. Returns the period that was
 * counted: where it starts before the oldest single result, it is extended to whole hours.
 * @throws Fault not_found, validation_failed
 */
export async function readUptime(
  deps: ReportDeps,
  workspaceId: string,
  monitorId: string,
  { startMs, endMs }: ReportPeriod,
): Promise<Uptime> {
  const period = reportPeriod(
    { startDate: startMs, endDate: endMs },
    { nowMs: deps.clock.now(), retentionDays: deps.retentionDays },
  );
  return deps.db.read(async (tx) => {
    const monitors = await bucketStore.monitors(workspaceId, tx, { monitorId }, period);
    if (monitors.length === 0) throw notFound('monitor');
    const [counts] = await readOutcomeCounts(tx, workspaceId, monitors, period, null);
    const { up, down } = counts ?? { up: 0, down: 0 };
    return { ...period, total: up + down, healthy: up, unhealthy: down, uptimePercentage: decideUptime(up, down) };
  });
}
