import type { ExtraRegion } from '@watchpost/shared/region';
import type { Tx } from '../../platform/db/database.js';
import { type HealthStatus, shownHealths } from './monitor-filter.js';
import type { MonitoringStatus } from './settings/general-settings-schemas.js';

/** How many monitors have a status and are checked from the same extra regions. */
export interface MonitorCountRow {
  monitoringStatus: MonitoringStatus;
  enabledRegions: ExtraRegion[];
  /** Whether the home region checks any of them. */
  homeRegion: boolean;
  total: number;
  /** How many of them a maintenance window covers. */
  covered: number;
  /** How many monitors of the workspace that no window covers are shown with which health; the same on every row. */
  healths: Partial<Record<HealthStatus, number>> | null;
}

/** Counts of monitors by workspace. */
export const monitorCountStore = {
  /** Reads indexes of monitors, the states, and the series once. For the costs see docs/decisions/0045. */
  async byState(workspaceId: string, tx: Tx, now: Date): Promise<MonitorCountRow[]> {
    return tx.query<MonitorCountRow>(
      `WITH ${shownHealths('$2')}, covered AS MATERIALIZED (
         SELECT DISTINCT monitor_key FROM monitor_maintenance WHERE workspace_id = $1 AND starts <= $2 AND ends > $2
       )
       SELECT monitoring_status AS "monitoringStatus", enabled_regions AS "enabledRegions", bool_or(home_region) AS "homeRegion", count(*) AS total,
         count(*) FILTER (WHERE key IN (SELECT monitor_key FROM covered)) AS covered, (
           SELECT json_object_agg(health_status, shown) FROM (
             SELECT health_status, count(*) AS shown FROM known
             WHERE monitor_key NOT IN (SELECT monitor_key FROM lapsed)
               AND monitor_key NOT IN (SELECT monitor_key FROM covered) GROUP BY 1
           ) AS counted
         ) AS healths
       FROM monitor WHERE workspace_id = $1 AND deleted_at IS NULL GROUP BY 1, 2`,
      [workspaceId, now],
    );
  },
};
