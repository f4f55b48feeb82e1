import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { insertUnlessThere } from '../../platform/db/insert-unless-there.js';
import { TeamServiceGroupEntity } from './team.entity.js';

export interface RoutedGroup {
  serviceGroupId: string;
  teamId: string;
  name: string;
}

/** Which service groups page which teams. Callers that change it hold the lock on the team. */
export const routingStore = {
  /** The latest routed first; those of deleted groups are left out. */
  async page(workspaceId: string, tx: Tx, teamId: string, rows: Rows): Promise<ListPage<RoutedGroup>> {
    const list = {
      columns: 'service_group_id AS "serviceGroupId", team_id AS "teamId", name',
      from: 'routed_service_group',
      where: 'workspace_id = $1 AND team_id = $2',
      orderBy: 'created DESC, service_group_id DESC',
    };
    return tx.page(list, [workspaceId, teamId], rows);
  },

  /** Routing of a deleted group counts as none. */
  async isRouted(workspaceId: string, tx: Tx, teamId: string, serviceGroupId: string): Promise<boolean> {
    return tx.some(
      'SELECT 1 FROM routed_service_group WHERE workspace_id = $1 AND team_id = $2 AND service_group_id = $3',
      [workspaceId, teamId, serviceGroupId],
    );
  },

  async insert(workspaceId: string, tx: Tx, teamId: string, serviceGroupId: string, created: Date): Promise<void> {
    await insertUnlessThere(tx, TeamServiceGroupEntity, { workspaceId, teamId, serviceGroupId, created });
  },

  async remove(workspaceId: string, tx: Tx, teamId: string, serviceGroupId: string): Promise<void> {
    await tx.manager.delete(TeamServiceGroupEntity, { workspaceId, teamId, serviceGroupId });
  },
};
