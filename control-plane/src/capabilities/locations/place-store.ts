import type { Tx } from '../../platform/db/database.js';
import { IsNull } from 'typeorm';
import { PrivateLocationEntity } from './private-location.entity.js';

/** A private location as monitors know it. */
export type LocationPlace = Pick<PrivateLocationEntity, 'id' | 'code' | 'slug' | 'name' | 'allowCidrs' | 'denyCidrs'>;

/** The private locations of a workspace that monitors may name. */
export async function placesOfWorkspace(tx: Tx, workspaceId: string): Promise<LocationPlace[]> {
  return tx.manager.find(PrivateLocationEntity, {
    where: { workspaceId, deletedAt: IsNull() },
    select: { id: true, code: true, slug: true, name: true, allowCidrs: true, denyCidrs: true },
    order: { code: 'ASC' },
  });
}

/** The slugs of the private locations of a workspace, deleted ones too, by code. */
export async function slugsByCode(tx: Tx, workspaceId: string): Promise<ReadonlyMap<number, string>> {
  const rows = await tx.manager.find(PrivateLocationEntity, {
    where: { workspaceId },
    select: { code: true, slug: true },
  });
  return new Map(rows.map(({ code, slug }) => [code, slug]));
}
