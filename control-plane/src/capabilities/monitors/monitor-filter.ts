import { AVAILABILITY_CODES } from '@watchpost/shared/check';
import type { MonitorType } from '@watchpost/shared/monitor-types';
import type { MonitoringStatus } from './settings/general-settings-schemas.js';

export type HealthStatus = 'available' | 'unavailable' | 'degraded';

/** The states by which monitors are counted, see `countedState`. */
export const COUNTED_STATES = ['available', 'degraded', 'unavailable', 'unknown', 'maintenance', 'paused'] as const;

/** Conditions on monitors; all of those given must hold. */
export interface MonitorFilter {
  ids?: readonly string[] | undefined;
  /** All of them, normalized. */
  tags?: readonly string[] | undefined;
  /** A part of the name or URL, case-insensitive. */
  search?: string | undefined;
  /** As the answer shows it; `unknown` is null there. */
  healthStatus?: HealthStatus | 'unknown' | undefined;
  /** The same, without `unknown`. */
  status?: HealthStatus | undefined;
  monitoringStatus?: MonitoringStatus | undefined;
  state?: (typeof COUNTED_STATES)[number] | undefined;
  monitorType?: MonitorType | undefined;
  serviceGroupId?: string | undefined;
  /** Those in no group by this, see `groupingText`. */
  without?: string | undefined;
  /** A part of the name, case-insensitive. */
  name?: string | undefined;
}

/** What the index of tags contains of a monitor; must be written as in the index. */
const TAG_KEYS = 'array_prepend(monitor.workspace_id::text, monitor.tags)';

const DECISIVE = `kind IN (${AVAILABILITY_CODES.join(', ')})`;
const REPORTED = `last_started_at IS NOT NULL AND fresh_until < 'infinity'`;
/** Of the series of one monitor: until when the last results of any region are fresh. Null: no result has come. */
const FRESH_UNTIL = `CASE WHEN bool_or(${DECISIVE}) THEN max(fresh_until) FILTER (WHERE ${DECISIVE} AND ${REPORTED})
  ELSE max(fresh_until) FILTER (WHERE ${REPORTED}) END`;

/**
 * The health of a monitor as the answer shows it, as SQL: null where the last results of all regions are stale, see
 * `describeMonitor`. One fresh result settles that, so that in most cases one row of `series` is read. Not EXISTS, which the
 * planner turns into a scan of the series of all workspaces.
 * @param now the parameter of the present time
 */
function shownHealth(now: string): string {
  return `CASE
    WHEN state.health_status IS NULL THEN NULL
    WHEN (SELECT true FROM series
      WHERE monitor_key = monitor.key AND ${DECISIVE} AND ${REPORTED} AND fresh_until > ${now} LIMIT 1)
      THEN state.health_status
    WHEN (SELECT ${FRESH_UNTIL} FROM series WHERE monitor_key = monitor.key) <= ${now} THEN NULL
    ELSE state.health_status END`;
}

/**
 * The same for all monitors of workspace `$1`, as two items of a `WITH`: `known` has the monitors with a health, and `lapsed`
 * those of them that are shown without one. Reads the series in one pass instead of one for each monitor: nearly always all
 * are fresh, and nothing else is read. The health of a monitor that is not checked is null already.
 * @param now the parameter of the present time
 */
export function shownHealths(now: string): string {
  return `known AS MATERIALIZED (
      SELECT monitor_key, health_status FROM monitor_state WHERE workspace_id = $1 AND health_status IS NOT NULL
    ), overdue AS MATERIALIZED (
      SELECT DISTINCT monitor_key FROM series
      WHERE monitor_key = ANY (ARRAY(SELECT monitor_key FROM known)) AND last_started_at IS NOT NULL AND fresh_until <= ${now}
    ), lapsed AS MATERIALIZED (
      SELECT monitor_key FROM series WHERE monitor_key = ANY (ARRAY(SELECT monitor_key FROM overdue))
      GROUP BY monitor_key HAVING ${FRESH_UNTIL} <= ${now}
    )`;
}

/**
 * The keys of the monitors of workspace `$1` that a maintenance window covers, as SQL.
 * @param now the parameter of the present time
 */
export function coveredKeys(now: string): string {
  return `SELECT monitor_key FROM monitor_maintenance WHERE workspace_id = $1 AND starts <= ${now} AND ends > ${now}`;
}

/**
 * The one state of a monitor by which it is counted, as SQL.
 * @param covered a query for the keys of those that a window covers
 * @param health the health that is shown, or null
 */
export function countedState(covered: string, health: string): string {
  return `CASE WHEN monitor.monitoring_status <> 'enabled' THEN 'paused' WHEN monitor.key IN (${covered}) THEN 'maintenance'
    ELSE coalesce(${health}, 'unknown') END`;
}

/**
 * The groups that a monitor is in, as SQL after `SELECT`: ids of service groups, or tags.
 * @param by see `groupingText`
 * @param parameter adds a value to the statement. @returns its number
 */
export function groupsOf(by: string, parameter: (value: unknown) => string): string {
  return by === 'serviceGroup'
    ? 'monitor.service_group_id::text AS own WHERE monitor.service_group_id IS NOT NULL'
    : `own FROM unnest(monitor.tags) AS own WHERE starts_with(own, ${parameter(`${by}:`)})`;
}

/**
 * The monitors of workspace `$1` that match, as SQL from `FROM` on: `monitor` with its `state` and its `day`, which cost nothing
 * where they are not read. Only the requested conditions are in the statement, because a plan for all of them reads the state
 * of every monitor of the workspace. Uses strpos instead of LIKE, so that the caller's text has no wildcards.
 * @param parameter adds a value to the statement. @returns its number
 */
export function matchingMonitors(filter: MonitorFilter, now: Date, parameter: (value: unknown) => string): string {
  const {
    ids,
    tags,
    search,
    healthStatus,
    status,
    monitoringStatus,
    state,
    monitorType,
    serviceGroupId,
    without,
    name,
  } = filter;
  const conditions = ['monitor.workspace_id = $1', 'monitor.deleted_at IS NULL'];
  if (ids !== undefined) conditions.push(`monitor.id = ANY (${parameter(ids)}::uuid[])`);
  if (tags !== undefined && tags.length > 0)
    conditions.push(
      `monitor.tags <> '{}' AND ${TAG_KEYS} @> array_prepend($1::uuid::text, ${parameter(tags)}::text[])`,
    );
  const healths = [healthStatus, status].filter((health) => health !== undefined);
  if (healths.length > 0) {
    const shown = shownHealth(`${parameter(now)}::timestamptz`);
    for (const health of healths) {
      conditions.push(
        // The stored health is compared first, so that series are read only of the monitors that have it.
        health === 'unknown'
          ? `${shown} IS NULL`
          : `state.health_status = ${parameter(health)}::text AND ${shown} IS NOT NULL`,
      );
    }
  }
  if (monitoringStatus !== undefined)
    conditions.push(`monitor.monitoring_status = ${parameter(monitoringStatus)}::text`);
  if (state !== undefined) {
    const present = `${parameter(now)}::timestamptz`;
    conditions.push(`${countedState(coveredKeys(present), shownHealth(present))} = ${parameter(state)}::text`);
  }
  if (monitorType !== undefined) conditions.push(`${parameter(monitorType)}::text = ANY (monitor.monitor_types)`);
  if (serviceGroupId !== undefined) conditions.push(`monitor.service_group_id = ${parameter(serviceGroupId)}::uuid`);
  if (without !== undefined) conditions.push(`NOT EXISTS (SELECT ${groupsOf(without, parameter)})`);
  const inName = (text: string) => `strpos(lower(monitor.name), lower(${text})) > 0`;
  if (name !== undefined) conditions.push(inName(`${parameter(name)}::text`));
  if (search !== undefined) {
    const text = `${parameter(search)}::text`;
    conditions.push(`(${inName(text)} OR strpos(lower(monitor.url), lower(${text})) > 0)`);
  }
  return `FROM monitor LEFT JOIN monitor_state state ON state.monitor_key = monitor.key
    LEFT JOIN monitor_day day ON day.monitor_key = monitor.key
    WHERE ${conditions.join(' AND ')}`;
}
