import { notFound } from '@watchpost/shared/fault';
import { decideUptime } from './decide-timeline.js';
import type { ReportDeps } from './read-availability.js';
import { reportPeriod, type ReportPeriod } from './report-period.js';
import { bucketStore } from '../rollup/bucket-store.js';
import { readOutcomeCounts } from '../rollup/read-outcomes.js';

export interface Uptime extends ReportPeriod {
  /** HTTP, TCP and UDP checks of all regions that were due in the period; inconclusive ones do not count. */
  total: number;
  healthy: number;
  unhealthy: number;
  /** Four decimals; null without checks. */
  uptimePercentage: number | null;
}

/**
 * The uptime of a monitor over a period, half-open and up to 400 days, and nothing else: the cheapest question of all.
 * The period counted is told too: where it begins further back than single results are kept, it is one of whole hours.
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
