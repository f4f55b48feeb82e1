import type { ListPage, Tx } from '../../platform/db/database.js';

/** The monitor of a report, and the time zone in which times are shown. */
export interface ReportSubject {
  monitorId: string;
  monitorName: string;
  url: string | null;
  workspaceName: string;
  timezone: string;
  created: Date;
}

export interface ScheduledMonitor {
  monitorId: string;
  monitorName: string;
  isWatched: boolean;
  daily: boolean;
  weekly: boolean;
  monthly: boolean;
  /** The addresses in its email groups, by the alphabet; at most `MOST_READERS`. */
  readers: string[];
  readerCount: number;
}

export interface ScheduleQuery {
  /** A part of the name; '' for all. */
  search: string;
  /** Only monitors of which reports are sent. */
  isScheduled: boolean;
  limit: number;
  offset: number;
}

/** Addresses of one monitor that are shown. */
const MOST_READERS = 50;
const LIKE_SYMBOLS = /[\\%_]/g;

export const reportSubjectStore = {
  /** By name. */
  async schedules(
    workspaceId: string,
    tx: Tx,
    { search, isScheduled, limit, offset }: ScheduleQuery,
  ): Promise<ListPage<ScheduledMonitor>> {
    const pattern = `%${search.replace(LIKE_SYMBOLS, String.raw`\$&`)}%`;
    const of = `FROM monitor LEFT JOIN reported_monitor reported ON reported.workspace_id = $1 AND reported.key = monitor.key
       WHERE monitor.workspace_id = $1 AND monitor.deleted_at IS NULL AND monitor.name ILIKE $2
         AND (NOT $3 OR reported.key IS NOT NULL)`;
    const rows = await tx.query<ScheduledMonitor>(
      `SELECT shown.*, ARRAY(SELECT DISTINCT email FROM report_reader reader
           WHERE reader.workspace_id = $1 AND reader.monitor_key = shown.key ORDER BY email LIMIT ${MOST_READERS}) AS readers,
         (SELECT count(DISTINCT email) FROM report_reader reader
           WHERE reader.workspace_id = $1 AND reader.monitor_key = shown.key) AS "readerCount"
       FROM (SELECT monitor.key, monitor.id AS "monitorId", monitor.name AS "monitorName",
           monitor.monitoring_status <> 'disabled' AS "isWatched",
           (monitor.reporting->>'dailyReport')::boolean AS daily, (monitor.reporting->>'weeklyReport')::boolean AS weekly,
           (monitor.reporting->>'monthlyReport')::boolean AS monthly
         ${of} ORDER BY monitor.name, monitor.id LIMIT $4 OFFSET $5) shown
       ORDER BY "monitorName", "monitorId"`,
      [workspaceId, pattern, isScheduled, limit, offset],
    );
    return { items: rows, total: await tx.value(`SELECT count(*) ${of}`, [workspaceId, pattern, isScheduled]) };
  },

  /** The zone of a workspace, and who gets reports of monitors without email groups. */
  async workspace(workspaceId: string, tx: Tx): Promise<{ timezone: string; ownerEmail: string | null }> {
    const [row] = await tx.query<{ timezone: string; ownerEmail: string | null }>(
      `SELECT workspace.timezone, account.email AS "ownerEmail"
       FROM workspace JOIN user_account account ON account.id = workspace.owner_id WHERE workspace.id = $1`,
      [workspaceId],
    );
    return row!;
  },

  async find(workspaceId: string, tx: Tx, monitorId: string): Promise<ReportSubject | undefined> {
    return tx.one(
      `SELECT monitor.id AS "monitorId", monitor.name AS "monitorName", monitor.url, workspace.name AS "workspaceName",
         workspace.timezone, monitor.created
       FROM monitor JOIN workspace ON workspace.id = monitor.workspace_id
       WHERE monitor.workspace_id = $1 AND monitor.id = $2 AND monitor.deleted_at IS NULL`,
      [workspaceId, monitorId],
    );
  },
};
