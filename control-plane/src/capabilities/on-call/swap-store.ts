import { In, LessThan, MoreThan } from 'typeorm';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { OnCallOverrideEntity, OnCallSwapEntity } from './schedule.entity.js';

export type SwapRow = Omit<OnCallSwapEntity, 'workspaceId'>;

/** Swaps of schedules. Callers that change them hold the lock on the team. */
export const swapStore = {
  /** Newest first. */
  async page(
    workspaceId: string,
    tx: Tx,
    of: { teamId: string; scheduleId: string },
    page: Rows,
  ): Promise<ListPage<SwapRow>> {
    const [items, total] = await tx.manager.findAndCount(OnCallSwapEntity, {
      where: { workspaceId, ...of },
      order: { created: 'DESC', id: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
    return { items, total };
  },

  async find(
    workspaceId: string,
    tx: Tx,
    of: { teamId: string; scheduleId: string },
    id: string,
  ): Promise<SwapRow | null> {
    return tx.manager.findOneBy(OnCallSwapEntity, { workspaceId, ...of, id });
  },

  /** Whether an open or taken swap of the schedule covers a part of the time. */
  async isOverlapping(workspaceId: string, tx: Tx, scheduleId: string, start: Date, end: Date): Promise<boolean> {
    return tx.manager.existsBy(OnCallSwapEntity, {
      workspaceId,
      scheduleId,
      state: In(['open', 'taken']),
      shiftStart: LessThan(end),
      shiftEnd: MoreThan(start),
    });
  },

  /** The open swaps of a team, and the taken ones whose shifts are not over. */
  async active(workspaceId: string, tx: Tx, teamId: string, now: Date): Promise<SwapRow[]> {
    const of = { workspaceId, teamId };
    return tx.manager.findBy(OnCallSwapEntity, [
      { ...of, state: 'open' },
      { ...of, state: 'taken', shiftEnd: MoreThan(now) },
    ]);
  },

  async insert(workspaceId: string, tx: Tx, row: SwapRow): Promise<void> {
    await tx.manager.insert(OnCallSwapEntity, { ...row, workspaceId });
  },

  async update(workspaceId: string, tx: Tx, { id, ...change }: Pick<SwapRow, 'id'> & Partial<SwapRow>): Promise<void> {
    await tx.manager.update(OnCallSwapEntity, { workspaceId, id }, change);
  },

  async moveOverride(workspaceId: string, tx: Tx, swapId: string, starts: Date, ends: Date): Promise<void> {
    await tx.manager.update(OnCallOverrideEntity, { workspaceId, swapId }, { starts, ends });
  },

  async removeOverride(workspaceId: string, tx: Tx, swapId: string): Promise<void> {
    await tx.manager.delete(OnCallOverrideEntity, { workspaceId, swapId });
  },

  /** Finds in all workspaces the teams with open swaps whose shift has begun, or with swaps of people who have left, in the order of their ids, beginning after one. */
  async unsettled(
    tx: Tx,
    now: Date,
    after: string | null,
    limit: number,
  ): Promise<{ workspaceId: string; teamId: string }[]> {
    return tx.query(
      `SELECT DISTINCT workspace_id AS "workspaceId", team_id AS "teamId" FROM on_call_swap swap
       WHERE ($2::uuid IS NULL OR team_id > $2)
         AND (state = 'open' AND shift_start <= $1 OR state IN ('open', 'taken') AND shift_end > $1 AND EXISTS (
         SELECT FROM unnest(ARRAY[swap.user_id, swap.taken_by]) AS person (user_id) WHERE user_id IS NOT NULL
           AND NOT EXISTS (SELECT FROM team_member m WHERE m.team_id = swap.team_id AND m.user_id = person.user_id)))
       ORDER BY team_id LIMIT $3`,
      [now, after, limit],
    );
  },

  /** Of all workspaces. */
  async removeEndedBefore(tx: Tx, before: Date): Promise<void> {
    await tx.query(`DELETE FROM on_call_swap WHERE shift_end < $1`, [before]);
  },
};
