import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../db/database.js';

/** Which agents share a region's checks. The epoch moves on whenever the members do. */
export interface Membership {
  epoch: number;
  /** Agent ids, sorted. */
  members: string[];
}

/**
 * Reads a region's membership and keeps it for this transaction; makes it where the region is new. A new region's epoch is
 * the time, so that one made again after a loss of data is never taken for the old one.
 */
export async function lockMembership(tx: Tx, region: Region, nowMs: number): Promise<Membership> {
  await tx.query('INSERT INTO fleet_region (region, epoch) VALUES ($1, $2) ON CONFLICT (region) DO NOTHING', [
    region,
    nowMs,
  ]);
  const rows = await tx.query<Membership>('SELECT epoch, members FROM fleet_region WHERE region = $1 FOR UPDATE', [
    region,
  ]);
  return rows[0]!;
}

export async function saveMembership(tx: Tx, region: Region, { epoch, members }: Membership): Promise<void> {
  await tx.query('UPDATE fleet_region SET epoch = $2, members = $3::uuid[] WHERE region = $1', [
    region,
    epoch,
    members,
  ]);
}
