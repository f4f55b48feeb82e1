import type { Tx } from '../../platform/db/database.js';

/** The monitor of a report, and the time zone in which times are shown. */
export interface ReportSubject {
  monitorId: string;
  monitorName: string;
  url: string;
  workspaceName: string;
  timezone: string;
}

export const reportSubjectStore = {
  async find(workspaceId: string, tx: Tx, monitorId: string): Promise<ReportSubject | undefined> {
    const [row] = await tx.query<ReportSubject>(
      `SELECT monitor.id AS "monitorId", monitor.name AS "monitorName", monitor.url, workspace.name AS "workspaceName",
         workspace.timezone
       FROM monitor JOIN workspace ON workspace.id = monitor.workspace_id
       WHERE monitor.workspace_id = $1 AND monitor.id = $2 AND monitor.deleted_at IS NULL`,
      [workspaceId, monitorId],
    );
    return row;
  },
};
