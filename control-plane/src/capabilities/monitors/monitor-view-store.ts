import type { Tx } from '../../platform/db/database.js';
import type { LimitOverrides, PlanName } from '../plans/index.js';
import type { MonitoringStatus, MonitorSettings } from './settings/monitor-settings.js';
import { SETTINGS_COLUMNS } from './monitor-store.js';

export type HealthStatus = 'available' | 'unavailable' | 'degraded';

/** The state of one series; kind, region and outcome as codes. */
export interface SeriesRow {
  kind: number;
  region: number;
  /** 0 before the first result. */
  outcome: number;
  startedMs: number | null;
  totalUs: number;
  /** 0 means none. */
  statusCode: number;
  message: string | null;
  /** null before there are enough results to decide. */
  failing: boolean | null;
  stale: boolean;
  /** Whether there was a conclusive result since the check was last started. */
  isConclusive: boolean;
  freshUntilMs: number | null;
}

export interface LatestIncidentRow {
  id: string;
  status: string;
  startedMs: number;
  endedMs: number | null;
  failureReason: string;
}

/** The latest certificate check in any region. */
export interface SslStatusRow {
  region: number;
  checkedMs: number;
  message: string | null;
  /** null where it got no certificate. */
  detail: { isValid: boolean; subject: string; issuer: string; validTo: string } | null;
}

/** A monitor with its latest results and incident, from `monitor_view`. */
export interface MonitorViewRow extends MonitorSettings {
  id: string;
  key: number;
  workspaceId: string;
  created: Date;
  lastModified: Date;
  checksChanged: Date;
  plan: PlanName;
  planLimits: LimitOverrides;
  healthStatus: HealthStatus | null;
  series: SeriesRow[] | null;
  latestIncident: LatestIncidentRow | null;
  sslStatus: SslStatusRow | null;
}

export interface MonitorFilter {
  /** `healthStatus` */
  status?: HealthStatus | undefined;
  monitoringStatus?: MonitoringStatus | undefined;
  /** A part of the name, case-insensitive. */
  name?: string | undefined;
  /** A part of the name or URL, case-insensitive. */
  search?: string | undefined;
}

const COLUMNS = `id, key, workspace_id AS "workspaceId", created, last_modified AS "lastModified",
  checks_changed AS "checksChanged", plan, plan_limits AS "planLimits", health_status AS "healthStatus", series,
  latest_incident AS "latestIncident", ssl_status AS "sslStatus", ${SETTINGS_COLUMNS}`;

/**
 * The conditions of a filter. Only the requested ones are in the statement, because a plan for all of them reads the state of
 * every monitor of the workspace. Uses strpos instead of LIKE, so that the caller's text has no wildcards. A monitor whose
 * results are all stale has no health status: see `describeMonitor`.
 */
function matches(
  workspaceId: string,
  { status, monitoringStatus, name, search }: MonitorFilter,
  now: Date,
): { from: string; values: unknown[] } {
  const values: unknown[] = [workspaceId];
  const parameter = (value: string) => `$${values.push(value)}::text`;
  const conditions = ['monitor.workspace_id = $1', 'monitor.deleted_at IS NULL'];
  if (status !== undefined)
    conditions.push(`state.health_status = ${parameter(status)} AND NOT coalesce(
      (SELECT coalesce(max(fresh_until) FILTER (WHERE kind IN (1, 4)), max(fresh_until)) <= $${values.push(now)} FROM series
       WHERE monitor_key = monitor.key AND conclusive_at IS NOT NULL), false)`);
  if (monitoringStatus !== undefined) conditions.push(`monitor.monitoring_status = ${parameter(monitoringStatus)}`);
  const inName = (text: string) => `strpos(lower(monitor.name), lower(${text})) > 0`;
  if (name !== undefined) conditions.push(inName(parameter(name)));
  if (search !== undefined) {
    const text = parameter(search);
    conditions.push(`(${inName(text)} OR strpos(lower(monitor.url), lower(${text})) > 0)`);
  }
  const from = `FROM monitor LEFT JOIN monitor_state state ON state.monitor_key = monitor.key
    WHERE ${conditions.join(' AND ')}`;
  return { from, values };
}

/** Monitors with their latest results, by workspace. */
export const monitorViewStore = {
  async find(workspaceId: string, tx: Tx, id: string): Promise<MonitorViewRow | undefined> {
    const [row] = await tx.query<MonitorViewRow>(
      `SELECT ${COLUMNS} FROM monitor_view WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id],
    );
    return row;
  },

  /**
   * Newest first. The list page is selected from the monitors alone and then joined with results and incidents, so that a
   * late page costs no more than the first. The test of the plan has the measurement with 1,000 monitors in 4 regions.
   */
  async page(
    workspaceId: string,
    tx: Tx,
    filter: MonitorFilter,
    now: Date,
    page: { limit: number; offset: number },
  ): Promise<{ rows: MonitorViewRow[]; total: number }> {
    const { from, values } = matches(workspaceId, filter, now);
    const count = `SELECT count(*) AS total ${from}`;
    const rows = await tx.query<MonitorViewRow & { total: number }>(
      `WITH page AS MATERIALIZED (
         SELECT monitor.id AS page_id ${from}
         ORDER BY monitor.created DESC, monitor.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}
       )
       SELECT ${COLUMNS}, (${count}) AS total FROM page JOIN monitor_view ON id = page_id WHERE workspace_id = $1
       ORDER BY created DESC, id DESC`,
      [...values, page.limit, page.offset],
    );
    // A list page after the last one has no row that contains the total.
    const [counted] = rows.length > 0 ? rows : await tx.query<{ total: number }>(count, values);
    return { rows, total: counted!.total };
  },
};
