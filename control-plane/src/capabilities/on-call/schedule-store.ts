import type { Tx } from '../../platform/db/database.js';
import type { ScheduleSettings } from './decide-schedule.js';
import { OnCallParticipantEntity, OnCallScheduleEntity } from './schedule.entity.js';

export interface ScheduleRow extends ScheduleSettings {
  created: Date;
  lastModified: Date;
}

/** The schedule of a team. Callers that change it hold the lock on the team. */
export const scheduleStore = {
  async save(workspaceId: string, tx: Tx, teamId: string, { turns, ...row }: ScheduleRow): Promise<void> {
    await tx.manager.upsert(OnCallScheduleEntity, { ...row, turns: turns.length, workspaceId, teamId }, ['teamId']);
  },

  /** With its participants. */
  async remove(workspaceId: string, tx: Tx, teamId: string): Promise<void> {
    await tx.manager.delete(OnCallScheduleEntity, { workspaceId, teamId });
  },

  async replaceParticipants(workspaceId: string, tx: Tx, teamId: string, userIds: readonly string[]): Promise<void> {
    await tx.manager.delete(OnCallParticipantEntity, { workspaceId, teamId });
    const rows = userIds.map((userId, turn) => ({ workspaceId, teamId, turn, userId }));
    await tx.manager.insert(OnCallParticipantEntity, rows);
  },
};
