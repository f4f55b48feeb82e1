import type { Tx } from '../../../platform/db/database.js';
import type { PingToken } from './ping-token.js';

export const pingTokenStore = {
  /** Gives a heartbeat a ping token; the former one no longer leads to it, and neither does an imported one. */
  async replace(workspaceId: string, tx: Tx, monitorId: string, { hash, sealed }: PingToken): Promise<void> {
    await tx.query(
      `INSERT INTO ping_token (monitor_id, hash, sealed)
       SELECT id, $3, $4 FROM monitor WHERE workspace_id = $1 AND id = $2
       ON CONFLICT (monitor_id) DO UPDATE SET hash = excluded.hash, sealed = excluded.sealed`,
      [workspaceId, monitorId, hash, sealed],
    );
    await tx.query(
      `DELETE FROM imported_ping_token USING monitor
       WHERE monitor.workspace_id = $1 AND monitor.id = $2 AND imported_ping_token.monitor_id = monitor.id`,
      [workspaceId, monitorId],
    );
  },

  /**
   * Gives a new heartbeat the token that it had in another product. A deleted monitor of the same workspace loses it.
   * @returns false where it leads to another monitor, of any workspace
   */
  async addImported(workspaceId: string, tx: Tx, monitorId: string, hash: Buffer): Promise<boolean> {
    const added = await tx.execute(
      `INSERT INTO imported_ping_token AS token (monitor_id, hash)
       SELECT id, $3 FROM monitor WHERE workspace_id = $1 AND id = $2
       ON CONFLICT (hash) DO UPDATE SET monitor_id = excluded.monitor_id
       WHERE EXISTS (SELECT FROM monitor former
         WHERE former.id = token.monitor_id AND former.workspace_id = $1 AND former.deleted_at IS NOT NULL)`,
      [workspaceId, monitorId, hash],
    );
    return added > 0;
  },
};
