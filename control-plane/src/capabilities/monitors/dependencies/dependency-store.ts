import type { Tx } from '../../../platform/db/database.js';

/** A monitor that others depend on, with what it depends on itself. */
export interface DependencyRow {
  id: string;
  name: string;
  isDeleted: boolean;
  dependsOn: string[];
}

export const dependencyStore = {
  /**
   * Lets one transaction of the workspace at a time change dependencies, until it ends: two that close a circle together
   * would not see each other.
   */
  async lock(workspaceId: string, tx: Tx): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('monitor_dependency ' || $1, 0))`, [workspaceId]);
  },

  /** These monitors and all that they depend on, directly and through others; with deleted ones that can be restored. */
  async reachable(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<DependencyRow[]> {
    return tx.query<DependencyRow>(
      `WITH RECURSIVE reached AS (
         SELECT unnest($2::uuid[]) AS id
         UNION
         SELECT cause.id FROM reached
         JOIN monitor ON monitor.id = reached.id AND monitor.workspace_id = $1
           AND (deleted_at IS NULL OR buried_with IS NOT NULL)
         CROSS JOIN LATERAL unnest(monitor.depends_on) AS cause (id)
       )
       SELECT monitor.id, name, deleted_at IS NOT NULL AS "isDeleted", depends_on AS "dependsOn"
       FROM reached JOIN monitor ON monitor.id = reached.id AND monitor.workspace_id = $1
       WHERE deleted_at IS NULL OR buried_with IS NOT NULL`,
      [workspaceId, ids],
    );
  },
};
