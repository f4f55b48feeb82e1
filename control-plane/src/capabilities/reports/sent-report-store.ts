import type { Tx } from '../../platform/db/database.js';
import type { ReportKind } from './decide-due-period.js';

export interface ReportingWorkspace {
  id: string;
  name: string;
  timezone: string;
  ownerEmail: string | null;
}

export interface ReportReader {
  to: string;
  /** By name. */
  monitorIds: string[];
}

const WANTED: Readonly<Record<ReportKind, string>> = { daily: 'daily', weekly: 'weekly', monthly: 'monthly' };

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
    return tx.some('SELECT FROM report_sent WHERE workspace_id = $1 AND kind = $2 AND starts = $3::date', [
      workspaceId,
      kind,
      starts,
    ]);
  },

  /** Whether any report of the kind was sent in the three months before the one that covers `starts`. */
  async isSentRegularly(workspaceId: string, tx: Tx, kind: ReportKind, starts: string): Promise<boolean> {
    return tx.some(
      `SELECT FROM report_sent WHERE workspace_id = $1 AND kind = $2 AND starts < $3::date AND starts >= $3::date - 92
       LIMIT 1`,
      [workspaceId, kind, starts],
    );
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

  /**
   * Who gets reports: the addresses in the email groups of each monitor, whatever their spelling, or the owner where there are
   * none. Recipients of the same monitors are adjacent.
   * @param limit monitors of each recipient
   */
  async readers(
    tx: Tx,
    { id, ownerEmail }: Pick<ReportingWorkspace, 'id' | 'ownerEmail'>,
    kind: ReportKind,
    limit: number,
  ): Promise<ReportReader[]> {
    return tx.query<ReportReader>(
      `WITH reported AS MATERIALIZED (
         SELECT key, id, row_number() OVER (ORDER BY name, id) AS place
         FROM reported_monitor monitor WHERE monitor.workspace_id = $1 AND monitor.${WANTED[kind]}
       ), asked AS MATERIALIZED (
         SELECT monitor_key, lower(email) AS address, min(email) AS email FROM report_reader
         WHERE workspace_id = $1 GROUP BY monitor_key, lower(email)
       ), read AS (
         SELECT address, email, id, place FROM reported JOIN asked ON asked.monitor_key = reported.key
         UNION ALL
         SELECT lower($2), $2, id, place FROM reported
         WHERE $2::text IS NOT NULL AND NOT EXISTS (SELECT FROM asked WHERE asked.monitor_key = reported.key)
       ), counted AS (
         SELECT *, row_number() OVER (PARTITION BY address ORDER BY place) AS number FROM read
       )
       SELECT (array_agg(email ORDER BY number))[1] AS "to", array_agg(id ORDER BY number) AS "monitorIds"
       FROM counted WHERE number <= $3 GROUP BY address ORDER BY "monitorIds", address`,
      [id, ownerEmail, limit],
    );
  },
};
