import type { Tx } from '../../../platform/db/database.js';
import { purgedRevisionStore } from '../purged-revision-store.js';

/** Deleted groups of all workspaces, for the service's own housekeeping. */
export const purgeStore = {
  /** Groups that can no longer be restored, and the monitors that were deleted with them. */
  async due(tx: Tx, now: Date, limit: number): Promise<{ groupIds: string[]; monitorKeys: number[] }> {
    const groupIds = await tx.column<string>(
      'SELECT id FROM service_group WHERE purge_at <= $1 ORDER BY purge_at LIMIT $2',
      [now, limit],
    );
    const monitorKeys = await tx.column<number>('SELECT key FROM monitor WHERE buried_with = ANY ($1)', [groupIds]);
    return { groupIds, monitorKeys };
  },

  async remove(tx: Tx, groupIds: readonly string[]): Promise<void> {
    const purged = await tx.query<{ revision: number }>(
      'DELETE FROM monitor WHERE buried_with = ANY ($1) RETURNING revision',
      [groupIds],
    );
    await purgedRevisionStore.note(tx, purged);
    await tx.query('DELETE FROM service_group WHERE id = ANY ($1)', [groupIds]);
  },
};
