import type { Tx } from '../../platform/db/database.js';
import { ownerOrder } from '../workspaces/index.js';

export interface RunningMonitor {
  workspaceId: string;
  id: string;
  key: number;
}

/** The monitors of an owner or a whole workspace, for transfers, changes of plan and deletion. */
export const ownerMonitorStore = {
  /** The number of an owner's enabled monitors. The owner's account must be locked. */
  async countRunning(ownerId: string, tx: Tx): Promise<number> {
    return tx.value(
      `SELECT count(*) AS count FROM monitor JOIN workspace ON workspace.id = monitor.workspace_id
       WHERE workspace.owner_id = $1 AND monitor.deleted_at IS NULL AND monitor.monitoring_status = 'enabled'`,
      [ownerId],
    );
  },

  /** Pauses the last of an owner's running monitors, in `ownerOrder`, until `keep` are left. @returns those paused */
  async pauseNewest(ownerId: string, tx: Tx, keep: number, now: Date): Promise<(RunningMonitor & { name: string })[]> {
    return tx.query(
      `WITH over AS (
         SELECT monitor.key FROM monitor JOIN workspace ON workspace.id = monitor.workspace_id
         WHERE workspace.owner_id = $1 AND monitor.deleted_at IS NULL AND monitor.monitoring_status = 'enabled'
         ORDER BY ${ownerOrder('monitor')} OFFSET $2
       ), held AS (SELECT key FROM monitor WHERE key IN (SELECT key FROM over) ORDER BY key FOR NO KEY UPDATE),
       paused AS (
         UPDATE monitor SET monitoring_status = 'paused',
           last_modified = greatest($3::timestamptz, last_modified + interval '1 ms')
         FROM held WHERE monitor.key = held.key AND monitor.monitoring_status = 'enabled'
         RETURNING monitor.workspace_id AS "workspaceId", monitor.id, monitor.key, monitor.name
       )
       SELECT * FROM paused ORDER BY key`,
      [ownerId, keep, now],
    );
  },

  /** Turns all monitors of a workspace into tombstones. @returns those that were not deleted before */
  async buryAll(workspaceId: string, tx: Tx, now: Date): Promise<RunningMonitor[]> {
    return tx.query<RunningMonitor>(
      `WITH held AS (
         SELECT key FROM monitor WHERE workspace_id = $1 AND deleted_at IS NULL ORDER BY key FOR NO KEY UPDATE
       ), buried AS (
         UPDATE monitor SET deleted_at = $2, last_modified = $2, secrets = NULL FROM held WHERE monitor.key = held.key
         RETURNING monitor.workspace_id AS "workspaceId", monitor.id, monitor.key
       )
       SELECT * FROM buried ORDER BY key`,
      [workspaceId, now],
    );
  },
};
