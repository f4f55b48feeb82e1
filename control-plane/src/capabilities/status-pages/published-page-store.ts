import type { Tx } from '../../platform/db/database.js';
import { ownerOrder } from '../workspaces/index.js';

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
