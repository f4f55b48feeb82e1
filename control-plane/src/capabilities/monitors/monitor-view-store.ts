import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import type { AssertionResult } from '@watchpost/shared/assertions/assertion';
import type { PingFigures, StepResult, Timings } from '@watchpost/shared/outcome';
import { DAY_MS } from '@watchpost/shared/time';
import { type ManagedBy, managedByColumn } from '../../platform/documents/managed-by.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import type { LimitOverrides, PlanName } from '../plans/index.js';
import { locationsOf } from './checks/check-source-store.js';
import type { MonitorLocation } from './checks/decide-coverage.js';
import type { MonitorView } from './monitor-schemas.js';
import type { MonitorSettings } from './settings/monitor-settings.js';
import { type HealthStatus, matchingMonitors, type MonitorFilter, shownHealths } from './monitor-filter.js';
import { readStored, type Stored, VIEW_SETTINGS_COLUMNS } from './monitor-store.js';

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
  /** The scheduled time of the last result; null before the first. */
  lastMs: number | null;
  /** The scheduled time of the last conclusive result since the check was last started; null before the first. */
  conclusiveMs: number | null;
  freshUntilMs: number | null;
  /** They are those of the last HTTP check, where one of them failed. */
  assertions?: AssertionResult[] | null;
  /** Those of the last HTTP check, of monitors with steps or assertions. */
  timings?: Timings | null;
}

export interface LatestIncidentRow {
  id: string;
  status: string;
  startedMs: number;
  endedMs: number | null;
  failureReason: string;
}

export interface SslStatusRow {
  region: number;
  checkedMs: number;
  message: string | null;
  /** null where it got no certificate. */
  detail: { isValid: boolean; subject: string; issuer: string; validFrom: string; validTo: string } | null;
}

/** The findings of the latest check of a series at single addresses and in steps; kind and region as codes. */
export interface FindingRow {
  kind: number;
  region: number;
  scheduledMs: number;
  addresses: {
    address: string;
    status: MonitorView['addresses'][number]['status'];
    sinceMs: number;
    responseUs: number | null;
    certificateFingerprint: string | null;
  }[];
  warnings: string[];
  steps: StepResult[] | null;
  ping: PingFigures | null;
}

export interface MonitorViewRow extends MonitorSettings {
  id: string;
  key: number;
  workspaceId: string;
  created: Date;
  lastModified: Date;
  checksChanged: Date;
  managedBy: ManagedBy;
  plan: PlanName;
  planLimits: LimitOverrides;
  healthStatus: HealthStatus | null;
  series: SeriesRow[] | null;
  latestIncident: LatestIncidentRow | null;
  sslStatus: SslStatusRow | null;
  findings: FindingRow[] | null;
  /** The window that covers it now and ends last. */
  maintenance: { windowId: string; untilMs: number; pausesChecks: boolean } | null;
  pingToken: Buffer | null;
  lastPing: Date | null;
  expectedBy: Date | null;
  /** The private locations that check it; null: none. */
  locations: MonitorLocation[] | null;
  /** The figures of the 24 hours before a moment of the last day; null: none were computed. */
  lastDay: { untilMs: number; uptime: number | null; p95Us: number | null } | null;
}

export type MonitorSort = keyof typeof SORTS;

const COLUMNS = `${managedByColumn('monitors', 'monitor_view')}, id, key, workspace_id AS "workspaceId", created, last_modified AS "lastModified",
  checks_changed AS "checksChanged", plan, plan_limits AS "planLimits", health_status AS "healthStatus", series,
  latest_incident AS "latestIncident", ssl_status AS "sslStatus", findings, ping_token AS "pingToken", last_ping AS "lastPing",
  expected_by AS "expectedBy", ${locationsOf('monitor_view')} AS locations, ${VIEW_SETTINGS_COLUMNS}`;

/** The window that covers a monitor of `monitor_view` at a moment; of several, the one that ends last. */
const maintenanceAt = (now: string) => `(SELECT jsonb_build_object('windowId', window_id, 'untilMs',
    (extract(epoch FROM ends) * 1000)::bigint, 'pausesChecks', bool_or(pauses_checks) OVER ())
  FROM monitor_maintenance WHERE monitor_key = monitor_view.key AND starts <= ${now} AND ends > ${now}
  ORDER BY ends DESC, window_id LIMIT 1) AS maintenance`;

/** Older figures are of none of the last 24 hours. */
const currentDay = (now: string) => `until > ${now} - interval '1 day'`;

const lastDayAt = (now: string) => `(SELECT jsonb_build_object('untilMs', (extract(epoch FROM until) * 1000)::bigint,
    'uptime', uptime, 'p95Us', p95_us) FROM monitor_day WHERE monitor_key = monitor_view.key AND ${currentDay(now)}) AS "lastDay"`;

/** The answer has these columns of a monitor at a moment. */
const columnsAt = (now: string) => `${COLUMNS}, ${maintenanceAt(now)}, ${lastDayAt(now)}`;

/** The figure of a monitor's last 24 hours to order by; null: it is not known. */
const ofLastDay = (column: 'uptime' | 'p95_us') => (now: string) =>
  `CASE WHEN ${currentDay(now)} THEN ${column} END AS figure`;

/**
 * The orders of the list: what is selected of each monitor to order by at a moment, and the order. Each ends with the id, so that the
 * pages of a list fit together.
 */
const SORTS = {
  '-created': { keys: () => 'monitor.created', order: 'created DESC, id DESC' },
  name: { keys: () => 'lower(monitor.name) AS name', order: 'name, id' },
  health: {
    keys: () => `lower(monitor.name) AS name, CASE monitor.monitoring_status WHEN 'enabled' THEN
      CASE WHEN monitor.key IN (SELECT monitor_key FROM lapsed) THEN 2
        ELSE CASE state.health_status WHEN 'unavailable' THEN 0 WHEN 'degraded' THEN 1 WHEN 'available' THEN 3 ELSE 2 END END
      WHEN 'paused' THEN 4 ELSE 5 END AS rank`,
    order: 'rank, name, id',
  },
  certificate: {
    keys: () => `CASE WHEN 'SslCertificate' = ANY (monitor.monitor_types) THEN
      (SELECT CASE WHEN answered_at = checked_at THEN answer ->> 'validTo' END FROM last_answer latest
       WHERE latest.monitor_key = monitor.key AND latest.kind = ${CHECK_KIND_CODES.ssl} AND latest.target = monitor.url
       ORDER BY checked_at DESC, region LIMIT 1) END AS expires`,
    order: 'expires, id',
  },
  lastChecked: {
    keys: () => `CASE WHEN monitor.heartbeat IS NULL THEN (SELECT max(last_started_at) FROM series WHERE monitor_key = monitor.key)
      ELSE (SELECT last_ping FROM heartbeat WHERE monitor_key = monitor.key) END AS checked`,
    order: 'checked, id',
  },
  uptime: { keys: ofLastDay('uptime'), order: 'figure NULLS LAST, id' },
  '-uptime': { keys: ofLastDay('uptime'), order: 'figure DESC NULLS LAST, id' },
  p95: { keys: ofLastDay('p95_us'), order: 'figure NULLS LAST, id' },
  '-p95': { keys: ofLastDay('p95_us'), order: 'figure DESC NULLS LAST, id' },
};

/** Monitors with their latest results, by workspace. */
export const monitorViewStore = {
  async find(workspaceId: string, tx: Tx, id: string, now: Date): Promise<MonitorViewRow | undefined> {
    const kept = keptStatements(tx);
    const rows = await kept.query<Stored<MonitorViewRow>>(
      `SELECT ${columnsAt('$3')} FROM monitor_view WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id, now],
    );
    return (await withLastChecks(kept, readStored<MonitorViewRow>(rows), now))[0];
  },

  /** @returns those that exist, by id */
  async findAll(
    workspaceId: string,
    tx: Tx,
    ids: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, MonitorViewRow>> {
    const [first, ...others] = ids;
    if (first !== undefined && others.length === 0) {
      const row = await this.find(workspaceId, tx, first, now);
      return new Map(row && [[row.id, row]]);
    }
    const rows = await tx.query<Stored<MonitorViewRow>>(
      `SELECT ${columnsAt('$3')} FROM monitor_view WHERE workspace_id = $1 AND id = ANY ($2)`,
      [workspaceId, ids, now],
    );
    return new Map((await withLastChecks(tx, readStored<MonitorViewRow>(rows), now)).map((row) => [row.id, row]));
  },

  /**
   * The list page is selected from the monitors alone and then joined with results and incidents, so that a late page costs
   * no more than the first. The test of the plan has the measurement with 5,000 monitors in 4 regions.
   */
  async page(
    workspaceId: string,
    tx: Tx,
    filter: MonitorFilter,
    sort: MonitorSort,
    now: Date,
    page: Rows,
  ): Promise<ListPage<MonitorViewRow>> {
    const values: unknown[] = [workspaceId];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const from = matchingMonitors(filter, now, parameter);
    const counted = values.length;
    const { keys, order } = SORTS[sort];
    const present = `${parameter(now)}::timestamptz`;
    const healths = sort === 'health' ? `${shownHealths(present)},` : '';
    const stored = await tx.query<Stored<MonitorViewRow & { total: number }>>(
      `WITH ${healths} matching AS MATERIALIZED (SELECT monitor.id, ${keys(present)} ${from}), page AS MATERIALIZED (
         SELECT chosen.id AS page_id, row_number() OVER () AS place FROM (
           SELECT id FROM matching ORDER BY ${order} LIMIT ${parameter(page.limit)} OFFSET ${parameter(page.offset)}
         ) AS chosen
       )
       SELECT ${columnsAt(present)}, (SELECT count(*) FROM matching) AS total
       FROM page JOIN monitor_view ON id = page_id WHERE workspace_id = $1 ORDER BY place`,
      values,
    );
    const rows = readStored<MonitorViewRow & { total: number }>(stored);
    if (rows.length > 0) return { items: await withLastChecks(tx, rows, now), total: rows[0]!.total };
    // A list page after the last one has no row that contains the total.
    return { items: rows, total: await tx.value(`SELECT count(*) ${from}`, values.slice(0, counted)) };
  },
};

/** Adds the assertions and the phases of the last checks. Only monitors with assertions or steps cost a statement. */
async function withLastChecks<Row extends MonitorViewRow>(tx: Tx, rows: Row[], now: Date): Promise<Row[]> {
  const keys = rows.filter(({ http }) => http.steps.length + http.assertions.length > 0).map(({ key }) => key);
  if (keys.length === 0) return rows;
  const checks = await tx.query<Pick<SeriesRow, 'region' | 'assertions' | 'timings'> & { key: number }>(
    `SELECT series.monitor_key AS key, series.region, failed.assertions, checked.timings
     FROM series LEFT JOIN LATERAL (
       SELECT evidence -> 'assertions' AS assertions FROM check_failure failure
       WHERE failure.monitor_key = series.monitor_key AND failure.kind = series.kind AND failure.region = series.region
         AND failure.scheduled_at = series.last_scheduled_at
         -- a constant bound, without which the planner opens the partitions of all days
         AND failure.scheduled_at >= $3
       LIMIT 1
     ) AS failed ON true LEFT JOIN LATERAL (
       SELECT jsonb_build_object('dnsUs', dns_us, 'connectUs', connect_us, 'tlsUs', tls_us, 'firstByteUs', first_byte_us,
         'transferUs', transfer_us) AS timings
       FROM result_row(ARRAY[series.monitor_key], series.last_scheduled_at, series.last_scheduled_at + interval '1 ms') result
       WHERE result.kind = series.kind AND result.region = series.region AND series.last_scheduled_at >= $3
       LIMIT 1
     ) AS checked ON true
     WHERE series.monitor_key = ANY ($1) AND series.kind = $2`,
    [keys, CHECK_KIND_CODES.http, new Date(now.getTime() - 2 * DAY_MS)],
  );
  for (const { key, region, ...found } of checks) {
    const own = rows.find((row) => row.key === key)?.series;
    const series = own?.find((one) => one.region === region && one.kind === CHECK_KIND_CODES.http);
    if (series) Object.assign(series, found);
  }
  return rows;
}
