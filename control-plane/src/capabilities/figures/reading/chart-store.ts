import type { Tx } from '../../../platform/db/database.js';

export interface ChartMonitor {
  monitorKey: number;
  createdMs: number;
  isEnabled: boolean;
}

export const chartStore = {
  async monitors(workspaceId: string, tx: Tx, monitorKeys: readonly number[]): Promise<ChartMonitor[]> {
    return tx.query<ChartMonitor>(
      `SELECT monitor_key AS "monitorKey", (date_part('epoch', known.created) * 1000)::bigint AS "createdMs", is_enabled AS "isEnabled"
       FROM verdict_subject subject JOIN known_schedule known USING (monitor_key)
       WHERE subject.workspace_id = $1 AND monitor_key = ANY ($2)`,
      [workspaceId, monitorKeys],
    );
  },
};
