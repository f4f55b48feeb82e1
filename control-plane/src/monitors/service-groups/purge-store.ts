import type { Tx } from '../../db/database.js';

/** Deleted groups of all workspaces: the service's own housekeeping. */
export const purgeStore = {
  /** @returns how many groups are gone for good */
  async purge(tx: Tx, now: Date, limit: number): Promise<number> {
    const due = await tx.query<{ id: string }>(
      'SELECT id FROM service_group WHERE purge_at <= $1 ORDER BY purge_at LIMIT $2 FOR UPDATE SKIP LOCKED',
      [now, limit],
    );
    const ids = due.map(({ id }) => id);
    await tx.query('DELETE FROM monitor WHERE buried_with = ANY ($1)', [ids]);
    await tx.query('DELETE FROM service_group WHERE id = ANY ($1)', [ids]);
    return ids.length;
  },
};
