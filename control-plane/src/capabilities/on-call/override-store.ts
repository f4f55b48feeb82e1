import { LessThan } from 'typeorm';
import type { Tx } from '../../platform/db/database.js';
import { OnCallOverrideEntity } from './schedule.entity.js';

export type OverrideRow = Pick<OnCallOverrideEntity, 'id' | 'userId' | 'starts' | 'ends' | 'reason' | 'created'> &
  Partial<Pick<OnCallOverrideEntity, 'swapId'>>;

/** Overrides of a team, bounded in number. Callers that change them hold the lock on the team. */
export const overrideStore = {
  async find(
    workspaceId: string,
    tx: Tx,
    of: { teamId: string; scheduleId: string },
    id: string,
  ): Promise<OverrideRow | null> {
    return tx.manager.findOneBy(OnCallOverrideEntity, { workspaceId, ...of, id });
  },

  async count(workspaceId: string, tx: Tx, teamId: string): Promise<number> {
    return tx.manager.countBy(OnCallOverrideEntity, { workspaceId, teamId });
  },

  async insert(
    workspaceId: string,
    tx: Tx,
    of: { teamId: string; scheduleId: string },
    row: OverrideRow,
  ): Promise<void> {
    await tx.manager.insert(OnCallOverrideEntity, { ...row, workspaceId, ...of });
  },

  async remove(workspaceId: string, tx: Tx, teamId: string, id: string): Promise<void> {
    await tx.manager.delete(OnCallOverrideEntity, { workspaceId, teamId, id });
  },

  async removeEndedBefore(workspaceId: string, tx: Tx, teamId: string, before: Date): Promise<void> {
    await tx.manager.delete(OnCallOverrideEntity, { workspaceId, teamId, ends: LessThan(before) });
  },
};
