import type { Tx } from '../../../platform/db/database.js';

/** Monitors that status pages show on their own. */
export const sharedMonitorStore = {
  /** Those of these monitors that status pages show. */
  async among(workspaceId: string, tx: Tx, monitorIds: readonly string[]): Promise<Set<string>> {
    return new Set(
      await tx.column<string>(
        'SELECT DISTINCT monitor_id AS id FROM shared_monitor WHERE workspace_id = $1 AND monitor_id = ANY ($2)',
        [workspaceId, monitorIds],
      ),
    );
  },
};
