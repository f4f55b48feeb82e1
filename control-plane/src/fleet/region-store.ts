import type { CheckKind } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../db/database.js';

/** Which agents share a region's checks. The epoch moves on whenever the members do, or what one of them can run. */
export interface Membership {
  epoch: number;
  /** Agent ids, sorted. */
  members: string[];
  /** What each member can run, by its id. */
  capabilities: Capabilities;
}

export type Capabilities = Readonly<Record<string, readonly CheckKind[]>>;

/**
 * Reads a region's membership and keeps it for this transaction; makes it where the region is new. A new region's epoch is
 * the time, so that one made again after a loss of data is never taken for the old one.
 */
export async function lockMembership(tx: Tx, region: Region, nowMs: number): Promise<Membership> {
  await tx.query('INSERT INTO fleet_region (region, epoch) VALUES ($1, $2) ON CONFLICT (region) DO NOTHING', [
    region,
    nowMs,
  ]);
  const [row] = await tx.query<Pick<Membership, 'epoch' | 'members'>>(
    'SELECT epoch, members FROM fleet_region WHERE region = $1 FOR UPDATE',
    [region],
  );
  return { ...row!, capabilities: await capabilitiesOf(tx, row!.members) };
}

/** Written under a region's lock alone, and with an epoch of its own: at one epoch everybody sees the same. */
export async function saveCapabilities(tx: Tx, capabilities: Capabilities): Promise<void> {
  for (const [agentId, kinds] of Object.entries(capabilities))
    await tx.query('UPDATE agent SET capabilities = $2 WHERE id = $1', [agentId, kinds]);
}

export async function capabilitiesOf(tx: Tx, agentIds: readonly string[]): Promise<Capabilities> {
  const rows = await tx.query<{ id: string; capabilities: CheckKind[] }>(
    'SELECT id, capabilities FROM agent WHERE id = ANY($1::uuid[])',
    [agentIds],
  );
  return Object.fromEntries(rows.map(({ id, capabilities }) => [id, capabilities]));
}

export async function saveMembership(
  tx: Tx,
  region: Region,
  { epoch, members }: Pick<Membership, 'epoch' | 'members'>,
): Promise<void> {
  await tx.query('UPDATE fleet_region SET epoch = $2, members = $3::uuid[] WHERE region = $1', [
    region,
    epoch,
    members,
  ]);
}
