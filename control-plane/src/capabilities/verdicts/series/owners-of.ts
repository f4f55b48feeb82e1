import type { Tx } from '../../../platform/db/database.js';

/** The owners of monitors of all workspaces, by monitor key. */
export async function ownersOf(tx: Tx, monitorKeys: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await tx.query<{ monitorKey: number; owner: string }>(
    'SELECT monitor_key AS "monitorKey", owner_id AS owner FROM suspect_subject WHERE monitor_key = ANY ($1::bigint[])',
    [monitorKeys],
  );
  return new Map(rows.map(({ monitorKey, owner }) => [monitorKey, owner]));
}
