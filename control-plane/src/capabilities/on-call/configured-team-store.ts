import type { Tx } from '../../platform/db/database.js';
import type { Handoffs } from './decide-rotation.js';
import type { TeamRole } from './team-schemas.js';

export interface ConfiguredTeamRow {
  id: string;
  name: string;
  description: string | null;
  members: { userId: string; teamRole: TeamRole }[];
  /** The participants in the order of their turns, without those who have left. */
  schedule: (Handoffs & { participants: string[] }) | null;
  serviceGroupIds: string[];
}

export const configuredTeamStore = {
  /** All teams of the workspace, oldest first, by one statement. */
  async all(workspaceId: string, tx: Tx): Promise<ConfiguredTeamRow[]> {
    return tx.query<ConfiguredTeamRow>(
      `SELECT id, name, description,
         coalesce((SELECT json_agg(json_build_object('userId', user_id, 'teamRole', team_role) ORDER BY created, user_id)
           FROM team_member WHERE team_id = team.id AND workspace_id = team.workspace_id), '[]') AS members,
         (SELECT json_build_object('rotation', rotation, 'timezone', timezone, 'handoffTime', handoff_time,
             'handoffDay', handoff_day, 'startDate', start_date::text, 'participants', coalesce((
               SELECT json_agg(user_id ORDER BY turn) FROM on_call_participant WHERE team_id = schedule.team_id), '[]'))
           FROM on_call_schedule AS schedule
           WHERE team_id = team.id AND workspace_id = team.workspace_id) AS schedule,
         coalesce((SELECT json_agg(service_group_id ORDER BY created, service_group_id) FROM routed_service_group
           WHERE team_id = team.id AND workspace_id = team.workspace_id), '[]') AS "serviceGroupIds"
       FROM team WHERE workspace_id = $1 ORDER BY created, id`,
      [workspaceId],
    );
  },
};
