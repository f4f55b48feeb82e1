import { FIRST_LOCATION_CODE } from '@watchpost/shared/region';
import { IsNull } from 'typeorm';
import { unlessSlugTaken } from '../../platform/db/unless-slug-taken.js';
import { columnsOf } from '../../platform/db/columns.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { type ManagedBy, managedByColumn } from '../../platform/documents/managed-by.js';
import { PrivateLocationEntity } from './private-location.entity.js';

export type LocationRow = Omit<PrivateLocationEntity, 'workspaceId' | 'code' | 'silentSince' | 'deletedAt'>;
export type ManagedLocation = LocationRow & { managedBy: ManagedBy };

const COLUMNS = columnsOf(PrivateLocationEntity, { without: ['workspaceId', 'code', 'silentSince', 'deletedAt'] });
const READ = `SELECT ${COLUMNS}, ${managedByColumn('privateLocations', 'private_location')}
  FROM private_location WHERE workspace_id = $1 AND deleted_at IS NULL`;

const SLUG = ['private_location_slug_key', 'is the slug of another private location'] as const;

/** Private locations, by workspace. */
export const locationStore = {
  /** Newest first. */
  async page(workspaceId: string, tx: Tx, { limit, offset }: Rows): Promise<ListPage<ManagedLocation>> {
    const items = await tx.query<ManagedLocation>(`${READ} ORDER BY created DESC, id DESC LIMIT $2 OFFSET $3`, [
      workspaceId,
      limit,
      offset,
    ]);
    return { items, total: await tx.manager.countBy(PrivateLocationEntity, { workspaceId, deletedAt: IsNull() }) };
  },

  /** Oldest first. */
  async all(workspaceId: string, tx: Tx): Promise<ManagedLocation[]> {
    return tx.query<ManagedLocation>(`${READ} ORDER BY created, id`, [workspaceId]);
  },

  async find(workspaceId: string, tx: Tx, id: string): Promise<ManagedLocation | undefined> {
    return tx.one(`${READ} AND id = $2`, [workspaceId, id]);
  },

  /** Locks a location until the transaction ends. */
  async lock(workspaceId: string, tx: Tx, id: string): Promise<ManagedLocation | undefined> {
    return tx.one(`${READ} AND id = $2 FOR NO KEY UPDATE`, [workspaceId, id]);
  },

  /** Over all workspaces of the owner. */
  async countOfOwner(ownerId: string, tx: Tx): Promise<number> {
    return tx.value(
      `SELECT count(*) AS count FROM private_location location JOIN workspace ON workspace.id = location.workspace_id
       WHERE workspace.owner_id = $1 AND location.deleted_at IS NULL`,
      [ownerId],
    );
  },

  /** Locks the workspace, whose codes follow each other, until the transaction ends. Groups are locked after it. */
  async lockWorkspace(workspaceId: string, tx: Tx): Promise<void> {
    await tx.query('SELECT FROM workspace WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
  },

  /** Its code is one that no location of the workspace had before. @throws Fault slug_taken */
  async insert(workspaceId: string, tx: Tx, row: LocationRow): Promise<void> {
    const code = await tx.value<number>(
      `SELECT coalesce(max(code) + 1, ${FIRST_LOCATION_CODE}) AS code FROM private_location WHERE workspace_id = $1`,
      [workspaceId],
    );
    await unlessSlugTaken(...SLUG, tx.manager.insert(PrivateLocationEntity, { ...row, workspaceId, code }));
  },

  /** @throws Fault slug_taken */
  async update(workspaceId: string, tx: Tx, row: LocationRow): Promise<void> {
    await unlessSlugTaken(...SLUG, tx.manager.update(PrivateLocationEntity, { workspaceId, id: row.id }, row));
  },

  /** Results go on naming it. */
  async bury(workspaceId: string, tx: Tx, id: string, now: Date): Promise<void> {
    await tx.manager.update(PrivateLocationEntity, { workspaceId, id }, { deletedAt: now, lastModified: now });
  },
};
