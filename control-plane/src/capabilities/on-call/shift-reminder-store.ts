import type { Tx } from '../../platform/db/database.js';
import type { QuietHours } from '../workspaces/index.js';
import type { ShiftReminder } from './decide-shift-reminders.js';

export interface ScheduleKey {
  workspaceId: string;
  teamId: string;
  scheduleId: string;
}

export interface RemindedMember {
  shiftReminders: boolean;
  quietHours: QuietHours | null;
}

/** Which reminders of shifts were sent, and when schedules are looked at again. */
export const shiftReminderStore = {
  /** Finds the schedules to look at, of all workspaces, in the order of their ids, beginning after one. */
  async due(tx: Tx, now: Date, after: string | null, limit: number): Promise<ScheduleKey[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", team_id AS "teamId", id AS "scheduleId" FROM on_call_schedule
       WHERE (remind_at IS NULL OR remind_at <= $1) AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
      [now, after, limit],
    );
  },

  /** Has the schedules of a team looked at again. */
  async reconsider(workspaceId: string, tx: Tx, teamId: string): Promise<void> {
    await tx.query(
      'UPDATE on_call_schedule SET remind_at = NULL WHERE workspace_id = $1 AND team_id = $2 AND remind_at IS NOT NULL',
      [workspaceId, teamId],
    );
  },

  /** Also forgets what was sent about shifts that began before a time. */
  async lookAgain(workspaceId: string, tx: Tx, scheduleId: string, at: Date, before: Date): Promise<void> {
    await tx.query('UPDATE on_call_schedule SET remind_at = $3 WHERE workspace_id = $1 AND id = $2', [
      workspaceId,
      scheduleId,
      at,
    ]);
    await tx.query('DELETE FROM shift_reminder WHERE workspace_id = $1 AND schedule_id = $2 AND shift_start < $3', [
      workspaceId,
      scheduleId,
      before,
    ]);
  },

  /** @returns whether it was not sent before */
  async note(
    workspaceId: string,
    tx: Tx,
    scheduleId: string,
    { userId, startMs, kind }: ShiftReminder,
  ): Promise<boolean> {
    const noted = await tx.execute(
      `INSERT INTO shift_reminder (workspace_id, schedule_id, user_id, shift_start, kind) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING`,
      [workspaceId, scheduleId, userId, new Date(startMs), kind],
    );
    return noted > 0;
  },

  /** Reads what active members prefer. */
  async members(workspaceId: string, tx: Tx, userIds: readonly string[]): Promise<Map<string, RemindedMember>> {
    if (userIds.length === 0) return new Map();
    const rows = await tx.query<RemindedMember & { userId: string }>(
      `SELECT user_id AS "userId", coalesce((preferences ->> 'shiftReminders')::boolean, true) AS "shiftReminders",
         nullif(preferences -> 'quietHours', 'null') AS "quietHours"
       FROM reachable_member WHERE workspace_id = $1 AND user_id = ANY ($2::uuid[])`,
      [workspaceId, userIds],
    );
    return new Map(rows.map(({ userId, ...member }) => [userId, member]));
  },
};
