import type { ExtraRegion } from '@watchpost/shared/region';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import {
  COUNTED_STATES,
  countedState,
  coveredKeys,
  groupsOf,
  type HealthStatus,
  shownHealths,
} from './monitor-filter.js';
import type { MonitoringStatus } from './settings/general-settings-schemas.js';

/** Counts of the monitors of a workspace by state: each is in exactly one, and `total` is their sum. */
export interface MonitorCounts {
  available: number;
  degraded: number;
  unavailable: number;
  /** Enabled, and without a health status. */
  unknown: number;
  /** Enabled, and covered by a maintenance window, with any health status. */
  maintenance: number;
  /** Paused or disabled. */
  paused: number;
  total: number;
}

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

/** Counts of the monitors of a group by state, see `MonitorCounts`. */
export interface MonitorGroup {
  /** The name of the service group, or the tag; null for the monitors that are in none. */
  name: string | null;
  serviceGroupId: string | null;
  tag: string | null;
  counts: MonitorCounts;
}

const COVERED = `covered AS MATERIALIZED (${coveredKeys('$2')})`;
/** The health that is shown of a monitor, where `known` is joined. */
const SHOWN = 'CASE WHEN monitor.key NOT IN (SELECT monitor_key FROM lapsed) THEN health_status END';

export const monitorCountStore = {
  /** Reads indexes of monitors, the states, and the series once. For the costs see docs/decisions/0045. */
  async byState(workspaceId: string, tx: Tx, now: Date): Promise<MonitorCountRow[]> {
    return tx.query<MonitorCountRow>(
      `WITH ${shownHealths('$2')}, ${COVERED}
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
  /**
   * The groups of the workspace's monitors, those with the most that are down first, then with the most that are degraded or unknown. A monitor
   * with several tags of the key is in the group of each.
   * @param by see `groupingText`
   */
  async byGroup(
    workspaceId: string,
    tx: Tx,
    by: string,
    now: Date,
    { limit, offset }: Rows,
  ): Promise<ListPage<MonitorGroup>> {
    const values: unknown[] = [workspaceId, now, limit, offset];
    const groups = groupsOf(by, (value) => `$${values.push(value)}`);
    const [id, name] = by === 'serviceGroup' ? ['own', 'service_group.name'] : ['NULL', 'own'];
    const rows = await tx.query<{ total: number; found: MonitorGroup | null }>(
      `WITH ${shownHealths('$2')}, ${COVERED}, placed AS MATERIALIZED (
         SELECT own, ${countedState('SELECT monitor_key FROM covered', SHOWN)} AS state
         FROM monitor LEFT JOIN known ON known.monitor_key = monitor.key LEFT JOIN LATERAL (SELECT ${groups}) AS groups ON true
         WHERE monitor.workspace_id = $1 AND monitor.deleted_at IS NULL
       ), counted AS MATERIALIZED (
         SELECT own, ${COUNTED_STATES.map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`).join(', ')}, count(*) AS total
         FROM placed GROUP BY own
       ), page AS (
         SELECT row_number() OVER (ORDER BY unavailable DESC, degraded DESC, unknown DESC, lower(${name}), own) AS place,
           jsonb_build_object('name', ${name}, 'serviceGroupId', ${id}, 'tag', ${by === 'serviceGroup' ? 'NULL' : 'own'},
             'counts', jsonb_build_object(${[...COUNTED_STATES, 'total'].map((state) => `'${state}', counted.${state}`).join(', ')})) AS found
         FROM counted ${by === 'serviceGroup' ? 'LEFT JOIN service_group ON service_group.id = own::uuid' : ''}
         ORDER BY place LIMIT $3 OFFSET $4
       )
       -- the outer join, because a list page after the last one needs the total too
       SELECT total, found FROM (SELECT count(*) AS total FROM counted) AS every LEFT JOIN page ON true ORDER BY place`,
      values,
    );
    return { items: rows.flatMap(({ found }) => found ?? []), total: rows[0]!.total };
  },
};
