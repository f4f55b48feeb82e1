import { newId } from '@watchpost/shared/id';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import { inTurns } from '../../platform/db/in-turns.js';
import type { FormerLayers } from './decide-on-call.js';
import type { Layers } from './decide-rotation.js';
import { type HolidayCalendar, OnCallParticipantEntity, OnCallScheduleEntity } from './schedule.entity.js';

export interface ScheduleRow extends Layers {
  id: string;
  name: string;
  former: readonly FormerLayers[];
  /** null where the holidays are the schedule's own. */
  holidayCalendar: HolidayCalendar | null;
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
    holidayCalendar: null,
    former: [],
    created: now,
    lastModified: now,
  };
}

/** A calendar of holidays is read once in this time. */
const READ_EVERY_MS = DAY_MS;

export interface DueCalendar {
  workspaceId: string;
  ownerId: string;
  teamId: string;
  id: string;
  url: string;
}

/** The schedules of a team. Callers that change them hold the lock on the team. */
export const scheduleStore = {
  /** Saves a schedule with the participants of its layers; its calendar of holidays stays. */
  async save(workspaceId: string, tx: Tx, teamId: string, row: ScheduleRow, isNew: boolean): Promise<void> {
    const { id: scheduleId, layers, created, holidayCalendar: _, ...rest } = row;
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

  /** @param due when it is read again; by default a day after it was read */
  async noteCalendar(
    workspaceId: string,
    tx: Tx,
    id: string,
    holidayCalendar: HolidayCalendar | null,
    due = holidayCalendar && new Date(Date.parse(holidayCalendar.fetchedAt ?? '1970-01-01') + READ_EVERY_MS),
  ): Promise<void> {
    await tx.manager.update(OnCallScheduleEntity, { workspaceId, id }, { holidayCalendar, holidaysDue: due });
  },

  /**
   * Takes calendars of holidays that are due, which no other process then takes until `leased`. Owners take turns.
   * @param limitOfOwner calendars of an owner at most
   */
  async takeCalendars(
    tx: Tx,
    { now, leased, limit, limitOfOwner }: { now: Date; leased: Date; limit: number; limitOfOwner: number },
  ): Promise<DueCalendar[]> {
    return tx.query(
      `UPDATE on_call_schedule SET holidays_due = $2 FROM (
         SELECT id, owner_id FROM ${inTurns({
           columns: 'id, owner_id',
           from: 'on_call_schedule JOIN workspace_plan USING (workspace_id) WHERE holidays_due <= $1',
           order: 'holidays_due, id',
           most: '$4',
         })} AS due ORDER BY turn, id LIMIT $3
       ) AS wanted
       WHERE on_call_schedule.id = wanted.id AND holidays_due <= $1
       RETURNING on_call_schedule.workspace_id AS "workspaceId", wanted.owner_id AS "ownerId",
         on_call_schedule.team_id AS "teamId", on_call_schedule.id, holiday_calendar ->> 'url' AS url`,
      [now, leased, limit, limitOfOwner],
    );
  },

  /** Counts the calendars of holidays that are due, of all workspaces. */
  async countDueCalendars(tx: Tx, now: Date): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM on_call_schedule WHERE holidays_due <= $1',
      [now],
    );
    return row!.count;
  },

  /** With its participants and overrides. */
  async remove(workspaceId: string, tx: Tx, teamId: string, id: string): Promise<void> {
    await tx.manager.delete(OnCallScheduleEntity, { workspaceId, teamId, id });
  },
};
