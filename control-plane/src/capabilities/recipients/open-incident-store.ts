import type { Tx } from '../../platform/db/database.js';

/** The open incidents of the monitors of an action group. */
export const openIncidentStore = {
  /** Locks the verdicts on the monitors of a group, in the order of keys, so that none opens an incident meanwhile. */
  async lockVerdicts(workspaceId: string, tx: Tx, groupId: string, monitorKey: number | null): Promise<void> {
    await tx.query(
      `SELECT FROM monitor_state WHERE monitor_key = ANY (ARRAY(
         SELECT a.monitor_key FROM group_attachment a JOIN action_group g ON g.id = a.group_id
         WHERE g.workspace_id = $1 AND g.id = $2 AND ($3::bigint IS NULL OR a.monitor_key = $3)))
       ORDER BY monitor_key FOR NO KEY UPDATE`,
      [workspaceId, groupId, monitorKey],
    );
  },

  /** The incidents of the monitors of an enabled group that are open, have not recovered and are not in maintenance. */
  async openIncidents(
    workspaceId: string,
    tx: Tx,
    groupId: string,
    monitorKey: number | null,
    at: Date,
  ): Promise<{ incidentId: string; monitorKey: number }[]> {
    return tx.query(
      `SELECT i.id AS "incidentId", i.monitor_key AS "monitorKey"
       FROM action_group g JOIN group_attachment a ON a.group_id = g.id
         JOIN incident i ON i.workspace_id = g.workspace_id AND i.monitor_key = a.monitor_key AND NOT i.is_closed
       WHERE g.workspace_id = $1 AND g.id = $2 AND g.is_enabled AND ($3::bigint IS NULL OR a.monitor_key = $3)
         AND i.ended IS NULL AND NOT EXISTS (SELECT FROM monitor_maintenance covered
           WHERE covered.monitor_key = i.monitor_key AND covered.starts <= $4 AND covered.ends > $4)
       ORDER BY i.started, i.id`,
      [workspaceId, groupId, monitorKey, at],
    );
  },
};
