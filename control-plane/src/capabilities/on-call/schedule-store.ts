import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../platform/db/database.js';
import type { FormerLayers } from './decide-on-call.js';
import type { Layers } from './decide-rotation.js';
import { OnCallParticipantEntity, OnCallScheduleEntity } from './schedule.entity.js';

export interface ScheduleRow extends Layers {
  id: string;
  name: string;
  former: readonly FormerLayers[];
  created: Date;
  lastModified: Date;
}

/** Of the schedule that a team gets without naming one. */
export const SCHEDULE_NAME = 'On call';

/** The schedule that a team gets when it is first needed. */
export function emptySchedule(nowMs: number): ScheduleRow {
  const now = new Date(nowMs);
  return {
    id: newId(nowMs),
    name: SCHEDULE_NAME,
    timezone: 'UTC',
    layers: [],
    holidays: [],
    former: [],
    created: now,
    lastModified: now,
  };
}

/** The schedules of a team. Callers that change them hold the lock on the team. */
export const scheduleStore = {
  /** Saves a schedule with the participants of its layers. */
  async save(workspaceId: string, tx: Tx, teamId: string, row: ScheduleRow, isNew: boolean): Promise<void> {
    const { id: scheduleId, layers, created, ...rest } = row;
    const settings = {
      ...rest,
      holidays: [...row.holidays],
      former: [...row.former],
      layers: layers.map(({ turns, ...layer }) => ({ ...layer, turns: turns.length })),
    };
    if (isNew)
      await tx.manager.insert(OnCallScheduleEntity, { ...settings, id: scheduleId, created, workspaceId, teamId });
    else {
      await tx.manager.update(OnCallScheduleEntity, { workspaceId, teamId, id: scheduleId }, settings);
      await tx.manager.delete(OnCallParticipantEntity, { workspaceId, teamId, scheduleId });
    }
    const participants = layers.flatMap(({ turns }, layer) =>
      turns.flatMap((userId, turn) =>
        userId === null ? [] : [{ scheduleId, layer, turn, userId, teamId, workspaceId }],
      ),
    );
    if (participants.length > 0) await tx.manager.insert(OnCallParticipantEntity, participants);
  },

  /** Of all workspaces: schedules about which the leads have not been mailed since then. */
  async unmailed(tx: Tx, before: Date, limit: number): Promise<{ workspaceId: string; teamId: string; id: string }[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", team_id AS "teamId", id FROM on_call_schedule
       WHERE readiness_mailed IS NULL OR readiness_mailed <= $1 ORDER BY id LIMIT $2`,
      [before, limit],
    );
  },

  /** @returns whether this call is the first since `before` */
  async noteMailed(workspaceId: string, tx: Tx, id: string, before: Date, now: Date): Promise<boolean> {
    const noted = await tx.query(
      `UPDATE on_call_schedule SET readiness_mailed = $4 WHERE workspace_id = $1 AND id = $2
         AND (readiness_mailed IS NULL OR readiness_mailed <= $3) RETURNING id`,
      [workspaceId, id, before, now],
    );
    return noted.length > 0;
  },

  /** With its participants and overrides. */
  async remove(workspaceId: string, tx: Tx, teamId: string, id: string): Promise<void> {
    await tx.manager.delete(OnCallScheduleEntity, { workspaceId, teamId, id });
  },
};
