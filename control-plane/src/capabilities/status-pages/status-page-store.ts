import { type ManagedBy, managedByColumn } from '../../platform/documents/managed-by.js';
import { columnsOf } from '../../platform/db/columns.js';
import { unlessSlugTaken } from '../../platform/db/unless-slug-taken.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { StatusPageEntity, StatusPageSystemEntity } from './status-page.entity.js';
import { ownerOrder } from '../workspaces/index.js';

export type StatusPageRow = Omit<StatusPageEntity, 'workspaceId'>;

export interface ShownPageRow extends StatusPageRow {
  managedBy: ManagedBy;
}

export type SystemRow = Omit<StatusPageSystemEntity, 'workspaceId' | 'pageId'>;

const COLUMNS = `${columnsOf(StatusPageEntity, { without: ['workspaceId'] })}, ${managedByColumn('statusPages', 'status_page')}`;
const SYSTEM = columnsOf(StatusPageSystemEntity, { without: ['workspaceId', 'pageId'] });

const SLUG = ['status_page_slug_key', 'is the address of another status page'] as const;

export const statusPageStore = {
  /** The number of an owner's status pages over all workspaces. */
  async countOfOwner(ownerId: string, tx: Tx): Promise<number> {
    return tx.value(
      `SELECT count(*) AS count FROM status_page JOIN workspace ON workspace.id = status_page.workspace_id
       WHERE workspace.owner_id = $1`,
      [ownerId],
    );
  },

  /** @throws Fault slug_taken */
  async insert(workspaceId: string, tx: Tx, row: StatusPageRow): Promise<void> {
    await unlessSlugTaken(...SLUG, tx.manager.insert(StatusPageEntity, { ...row, workspaceId }));
  },

  /** @throws Fault slug_taken */
  async update(workspaceId: string, tx: Tx, row: ShownPageRow): Promise<void> {
    const { managedBy: _, ...written } = row;
    await unlessSlugTaken(...SLUG, tx.manager.update(StatusPageEntity, { workspaceId, id: row.id }, written));
  },

  async find(
    workspaceId: string,
    tx: Tx,
    id: string,
    lock: 'FOR NO KEY UPDATE' | '' = '',
  ): Promise<ShownPageRow | undefined> {
    return tx.one(`SELECT ${COLUMNS} FROM status_page WHERE workspace_id = $1 AND id = $2 ${lock}`, [workspaceId, id]);
  },

  /** Newest first. */
  async page(workspaceId: string, tx: Tx, rows: Rows): Promise<ListPage<ShownPageRow>> {
    const where = 'workspace_id = $1';
    return tx.page(
      { columns: COLUMNS, from: 'status_page', where, orderBy: 'created DESC, id DESC' },
      [workspaceId],
      rows,
    );
  },

  /** The systems of these pages whose monitor or group exists, by page, in order. */
  async systems(workspaceId: string, tx: Tx, pageIds: readonly string[]): Promise<Map<string, SystemRow[]>> {
    const rows = await tx.query<SystemRow & { pageId: string }>(
      `SELECT page_id AS "pageId", ${SYSTEM} FROM status_page_shown_system
       WHERE workspace_id = $1 AND page_id = ANY ($2) ORDER BY page_id, group_index, place`,
      [workspaceId, pageIds],
    );
    const byPage = new Map<string, SystemRow[]>(pageIds.map((id) => [id, []]));
    for (const { pageId, ...row } of rows) byPage.get(pageId)!.push(row);
    return byPage;
  },

  /** All systems of a page, including those that are not shown. */
  async allSystems(workspaceId: string, tx: Tx, pageId: string): Promise<SystemRow[]> {
    return tx.query<SystemRow>(
      `SELECT ${SYSTEM} FROM status_page_system WHERE workspace_id = $1 AND page_id = $2 ORDER BY group_index, place`,
      [workspaceId, pageId],
    );
  },

  async replaceSystems(workspaceId: string, tx: Tx, pageId: string, systems: readonly SystemRow[]): Promise<void> {
    await tx.manager.delete(StatusPageSystemEntity, { workspaceId, pageId });
    const rows = systems.map((system) => ({ ...system, workspaceId, pageId }));
    await tx.manager.insert(StatusPageSystemEntity, rows);
  },

  async remove(workspaceId: string, tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(StatusPageEntity, { workspaceId, id });
  },
};

/** The published status pages of an owner over all workspaces. The owner's account must be locked. */
export const publishedPageStore = {
  async count(ownerId: string, tx: Tx): Promise<number> {
    return tx.value(
      `SELECT count(*) AS count FROM status_page JOIN workspace ON workspace.id = status_page.workspace_id
       WHERE workspace.owner_id = $1 AND status_page.is_published`,
      [ownerId],
    );
  },

  /** Unpublishes the last ones, in `ownerOrder`, until `keep` are left. */
  async unpublishNewest(ownerId: string, tx: Tx, keep: number, now: Date): Promise<void> {
    await tx.query(
      `WITH over AS (
         SELECT status_page.id FROM status_page JOIN workspace ON workspace.id = status_page.workspace_id
         WHERE workspace.owner_id = $1 AND status_page.is_published
         ORDER BY ${ownerOrder('status_page')} OFFSET $2
       ), held AS (SELECT id FROM status_page WHERE id IN (SELECT id FROM over) ORDER BY id FOR NO KEY UPDATE)
       UPDATE status_page SET is_published = false,
         last_modified = greatest($3::timestamptz, last_modified + interval '1 ms')
       FROM held WHERE status_page.id = held.id`,
      [ownerId, keep, now],
    );
  },
};
