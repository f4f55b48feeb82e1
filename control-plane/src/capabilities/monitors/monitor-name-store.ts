import type { Tx } from '../../platform/db/database.js';

/** Name and URL of a monitor, without the joins of `monitor_view`. */
export const monitorNameStore = {
  async find(workspaceId: string, tx: Tx, id: string): Promise<{ name: string; url: string | null } | undefined> {
    return tx.one('SELECT name, url FROM monitor WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL', [
      workspaceId,
      id,
    ]);
  },
};
