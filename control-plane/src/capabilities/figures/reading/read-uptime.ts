import { notFound } from '@watchpost/shared/fault';
import { decideUptime } from './decide-timeline.js';
import type { ReportDeps } from './read-availability.js';
import { countsOutside, describeMaintenance, readMaintenance } from './read-maintenance.js';
import { reportPeriod, type ReportPeriod } from './report-period.js';
import { bucketStore } from '../rollup/bucket-store.js';
import { readOutcomeCounts } from '../rollup/read-outcomes.js';
import { keptFrom } from '../rollup/retention.js';

export interface Uptime extends ReportPeriod {
  /** Conclusive HTTP, TCP and UDP checks of all regions scheduled in the period, outside maintenance. */
  total: number;
  healthy: number;
  unhealthy: number;
  /** Four decimals; null without checks. */
  uptimePercentage: number | null;
  maintenanceSeconds: number;
  /** As if there had been no maintenance window. */
  uptimePercentageWithMaintenance: number | null;
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
  const now = { nowMs: deps.clock.now(), retentionDays: deps.retentionDays };
  const period = reportPeriod({ startDate: startMs, endDate: endMs }, now);
  return deps.db.read(async (tx) => {
    const monitors = await bucketStore.monitors(workspaceId, tx, { monitorId }, period);
    const [monitor] = monitors;
    if (!monitor) throw notFound('monitor');
    const { monitorKey } = monitor;
    const [counts] = await readOutcomeCounts(tx, workspaceId, monitors, period, null);
    const maintenance = await readMaintenance(tx, workspaceId, [monitorKey], period, keptFrom(now).rowsFromMs);
    const { up, down } = countsOutside(counts ?? { up: 0, down: 0 }, maintenance.inside);
    return {
      ...period,
      total: up + down,
      healthy: up,
      unhealthy: down,
      uptimePercentage: decideUptime(up, down),
      // Of a heartbeat time is counted, not checks.
      ...(counts?.isTimed ? { total: 0, healthy: 0, unhealthy: 0 } : {}),
      ...describeMaintenance(maintenance, monitorKey, { healthy: counts?.up ?? 0, unhealthy: counts?.down ?? 0 }),
    };
  });
}
