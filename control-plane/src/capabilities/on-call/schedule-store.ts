import type { Tx } from '../../platform/db/database.js';
import type { ScheduleSettings } from './decide-schedule.js';

export interface ScheduleRow extends ScheduleSettings {
  created: Date;
  lastModified: Date;
}

/** The schedule of a team. Callers that change it hold the lock on the team. */
export const scheduleStore = {
  async save(workspaceId: string, tx: Tx, teamId: string, row: ScheduleRow): Promise<void> {
    await tx.query(
      `INSERT INTO on_call_schedule (workspace_id, team_id, rotation, timezone, handoff_time, handoff_day, start_date,
         turns, created, last_modified)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (team_id) DO UPDATE SET rotation = $3, timezone = $4, handoff_time = $5, handoff_day = $6,
         start_date = $7, turns = $8, last_modified = $10`,
      [
        workspaceId,
        teamId,
        row.rotation,
        row.timezone,
        row.handoffTime,
        row.handoffDay,
        row.startDate,
        row.turns.length,
        row.created,
        row.lastModified,
      ],
    );
  },

  /** With its participants. */
  async remove(workspaceId: string, tx: Tx, teamId: string): Promise<void> {
    await tx.query('DELETE FROM on_call_schedule WHERE workspace_id = $1 AND team_id = $2', [workspaceId, teamId]);
  },

  async replaceParticipants(workspaceId: string, tx: Tx, teamId: string, userIds: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM on_call_participant WHERE workspace_id = $1 AND team_id = $2', [workspaceId, teamId]);
    await tx.query(
      `INSERT INTO on_call_participant (workspace_id, team_id, turn, user_id)
       SELECT $1, $2, turn - 1, user_id FROM unnest($3::uuid[]) WITH ORDINALITY AS given (user_id, turn)`,
      [workspaceId, teamId, userIds],
    );
  },
};
