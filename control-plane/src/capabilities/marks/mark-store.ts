import { Between, LessThan } from 'typeorm';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { MarkEntity } from './mark.entity.js';

export type MarkRow = Omit<MarkEntity, 'workspaceId'>;

export const markStore = {
  async insert(workspaceId: string, tx: Tx, row: MarkRow): Promise<void> {
    await tx.manager.insert(MarkEntity, { ...row, workspaceId });
  },

  async count(workspaceId: string, tx: Tx): Promise<number> {
    return tx.manager.countBy(MarkEntity, { workspaceId });
  },

  async find(workspaceId: string, tx: Tx, id: string): Promise<MarkRow | null> {
    return tx.manager.findOneBy(MarkEntity, { workspaceId, id });
  },

  async remove(workspaceId: string, tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(MarkEntity, { workspaceId, id });
  },

  /** From `from` on, up to and without `until`, newest first. */
  async page(
    workspaceId: string,
    tx: Tx,
    from: Date,
    until: Date,
    { limit, offset }: Rows,
  ): Promise<ListPage<MarkRow>> {
    const [items, total] = await tx.manager.findAndCount(MarkEntity, {
      where: { workspaceId, at: Between(from, new Date(until.getTime() - 1)) },
      order: { at: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    });
    return { items, total };
  },

  /** Of all workspaces. */
  async purge(tx: Tx, before: Date): Promise<void> {
    await tx.manager.delete(MarkEntity, { at: LessThan(before) });
  },
};
