import type { Tx } from '../../platform/db/database.js';
import type { ReportKind } from './decide-due-period.js';

export interface ReportingWorkspace {
  id: string;
  name: string;
  timezone: string;
  ownerEmail: string | null;
}

export interface ReportedMonitor {
  monitorId: string;
  /** The addresses in the monitor's email groups. */
  readers: string[];
}

const WANTED: Readonly<Record<ReportKind, string>> = { daily: 'daily', weekly: 'weekly', monthly: 'monthly' };

/** Scheduled reports: their recipients, and which were sent. */
export const sentReportStore = {
  /** Workspaces with monitors that have reports, in the order of their ids, after the given one. */
  async workspaces(tx: Tx, afterId: string | null, limit: number): Promise<ReportingWorkspace[]> {
    return tx.query<ReportingWorkspace>(
      `SELECT workspace.id, workspace.name, workspace.timezone, account.email AS "ownerEmail"
       FROM workspace JOIN user_account account ON account.id = workspace.owner_id
       WHERE ($1::uuid IS NULL OR workspace.id > $1) AND account.suspended_at IS NULL
         AND EXISTS (SELECT FROM reported_monitor monitor WHERE monitor.workspace_id = workspace.id)
       ORDER BY workspace.id LIMIT $2`,
      [afterId, limit],
    );
  },

  async isSent(workspaceId: string, tx: Tx, kind: ReportKind, starts: string): Promise<boolean> {
    const rows = await tx.query('SELECT FROM report_sent WHERE workspace_id = $1 AND kind = $2 AND starts = $3::date', [
      workspaceId,
      kind,
      starts,
    ]);
    return rows.length > 0;
  },

  /** Whether any report of the kind was sent in the three months before the one that covers `starts`. */
  async isSentRegularly(workspaceId: string, tx: Tx, kind: ReportKind, starts: string): Promise<boolean> {
    const rows = await tx.query(
      `SELECT FROM report_sent WHERE workspace_id = $1 AND kind = $2 AND starts < $3::date AND starts >= $3::date - 92
       LIMIT 1`,
      [workspaceId, kind, starts],
    );
    return rows.length > 0;
  },

  /** @returns whether this transaction is the one that sends it */
  async note(workspaceId: string, tx: Tx, kind: ReportKind, starts: string, at: Date): Promise<boolean> {
    const inserted = await tx.execute(
      `INSERT INTO report_sent (workspace_id, kind, starts, sent) VALUES ($1, $2, $3::date, $4)
       ON CONFLICT DO NOTHING`,
      [workspaceId, kind, starts, at],
    );
    return inserted > 0;
  },

  /** Monitors by name with their recipients; without recipients the owner gets them. */
  async monitors(workspaceId: string, tx: Tx, kind: ReportKind, limit: number): Promise<ReportedMonitor[]> {
    return tx.query<ReportedMonitor>(
      `SELECT monitor.id AS "monitorId",
         ARRAY(SELECT DISTINCT email FROM report_reader reader
           WHERE reader.workspace_id = $1 AND reader.monitor_key = monitor.key ORDER BY email) AS readers
       FROM reported_monitor monitor WHERE monitor.workspace_id = $1 AND monitor.${WANTED[kind]}
       ORDER BY monitor.name, monitor.id LIMIT $2`,
      [workspaceId, limit],
    );
  },
};
