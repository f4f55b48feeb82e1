import { invalidField } from '@watchpost/shared/fault';
import { LOCATION_PREFIX, parseRegion, regionCode } from '@watchpost/shared/region';
import type { Tx } from '../../platform/db/database.js';
import { IsNull } from 'typeorm';
import { PrivateLocationEntity } from './private-location.entity.js';

export type LocationPlace = Pick<PrivateLocationEntity, 'id' | 'code' | 'slug' | 'name' | 'allowCidrs' | 'denyCidrs'>;

/** The private locations of a workspace that monitors may name. */
export async function placesOfWorkspace(tx: Tx, workspaceId: string): Promise<LocationPlace[]> {
  return tx.manager.find(PrivateLocationEntity, {
    where: { workspaceId, deletedAt: IsNull() },
    select: { id: true, code: true, slug: true, name: true, allowCidrs: true, denyCidrs: true },
    order: { code: 'ASC' },
  });
}

export type LocationNames = ReadonlyMap<number, Pick<PrivateLocationEntity, 'slug' | 'name'>>;

/** What the private locations of a workspace are called, deleted ones too, by code. */
export async function namesByCode(tx: Tx, workspaceId: string): Promise<LocationNames> {
  const rows = await tx.manager.find(PrivateLocationEntity, {
    where: { workspaceId },
    select: { code: true, slug: true, name: true },
  });
  return new Map(rows.map((row) => [row.code, row]));
}

/**
 * The code of a region, or of `private:` and a slug; of several that had this slug, of the newest.
 * @throws Fault validation_failed
 */
export async function placeCodeOf(tx: Tx, workspaceId: string, place: string): Promise<number> {
  const region = parseRegion(place);
  if (region) return regionCode(region);
  const names = await namesByCode(tx, workspaceId);
  const codes = [...names].flatMap(([code, { slug }]) => (LOCATION_PREFIX + slug === place ? [code] : []));
  if (codes.length === 0) throw invalidField('region', 'names no private location of this workspace');
  return Math.max(...codes);
}
