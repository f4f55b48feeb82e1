import type { CheckSpec } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Database, Tx } from '../db/database.js';
import type { Arrear } from '../grpc/index.js';
import { checkCode } from './check-code.js';
import { ownerOf } from './decide-owner.js';
import type { Ownership } from './region-roster.js';

/** The newest due time of which a region has a result, for each check of these monitors that has one. */
export type NewestDue = (tx: Tx, region: Region, monitorKeys: readonly number[]) => Promise<Arrear[]>;

/**
 * What an agent owes of the checks that it gains: those whose owner is none any more were run by nobody since it went.
 * Where the owner of before stays, it runs them until they are taken over, and nothing is owed.
 * @returns by the code of the check
 */
export async function findArrears(
  { db, newestDue }: { db: Database; newestDue: NewestDue },
  region: Region,
  gained: readonly CheckSpec[],
  ownership: { before: Ownership; after: Ownership },
): Promise<Map<number, Arrear>> {
  const staying = new Set(ownership.after.owners.map(({ agentId }) => agentId));
  const orphans = gained.filter(({ key }) => {
    const owner = ownerOf(ownership.before.owners, checkCode(key));
    return owner !== undefined && !staying.has(owner);
  });
  if (orphans.length === 0) return new Map();
  const keys = [...new Set(orphans.map(({ key }) => key.monitorKey))];
  const newest = await db.read((tx) => newestDue(tx, region, keys));
  const done = new Map(newest.map((one) => [checkCode(one.key), one.doneThroughMs]));
  return new Map(orphans.map(({ key }) => [checkCode(key), { key, doneThroughMs: done.get(checkCode(key)) ?? 0 }]));
}
