import type { Tx } from '../../platform/db/database.js';
import { type PlannedSchedule, plannedSchedule, SCHEDULES, type StoredSchedule } from './team-plan-store.js';
import type { TeamRole } from './team-schemas.js';

export interface ConfiguredTeamRow {
  id: string;
  name: string;
  description: string | null;
  members: { userId: string; teamRole: TeamRole }[];
  schedules: PlannedSchedule[];
  serviceGroupIds: string[];
}

export const configuredTeamStore = {
  /** All teams of the workspace, oldest first, by one statement. */
  async all(workspaceId: string, tx: Tx): Promise<ConfiguredTeamRow[]> {
    const rows = await tx.query<Omit<ConfiguredTeamRow, 'schedules'> & { schedules: StoredSchedule[] }>(
      `SELECT id, name, description,
         coalesce((SELECT json_agg(json_build_object('userId', user_id, 'teamRole', team_role) ORDER BY created, user_id)
           FROM team_member WHERE team_id = team.id AND workspace_id = team.workspace_id), '[]') AS members,
         ${SCHEDULES},
         coalesce((SELECT json_agg(service_group_id ORDER BY created, service_group_id) FROM routed_service_group
           WHERE team_id = team.id AND workspace_id = team.workspace_id), '[]') AS "serviceGroupIds"
       FROM team WHERE workspace_id = $1 ORDER BY created, id`,
      [workspaceId],
    );
    return rows.map((row) => ({ ...row, schedules: row.schedules.map(plannedSchedule) }));
  },
};
