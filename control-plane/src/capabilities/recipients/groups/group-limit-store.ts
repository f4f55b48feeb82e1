import type { Tx } from '../../../platform/db/database.js';
import { ownerOrder } from '../../workspaces/index.js';
import type { ActionGroupType } from '../../channels/index.js';
import type { disabledGroup } from '../../delivery/index.js';

/** The groups of an owner over all workspaces. The caller has locked the owner's account. */
export const groupLimitStore = {
  async countEnabled(ownerId: string, tx: Tx, types: readonly ActionGroupType[]): Promise<number> {
    return tx.value(
      `SELECT count(*) AS count FROM action_group g JOIN workspace w ON w.id = g.workspace_id
       WHERE w.owner_id = $1 AND g.type = ANY ($2::text[]) AND g.is_enabled`,
      [ownerId, types],
    );
  },

  /** Disables the last of some channels, in `ownerOrder`, until `keep` are left enabled. */
  async disableNewest(
    ownerId: string,
    tx: Tx,
    types: readonly ActionGroupType[],
    keep: number,
    now: Date,
  ): Promise<Parameters<typeof disabledGroup>[0][]> {
    return tx.query(
      `WITH over AS (
         SELECT g.id FROM action_group g JOIN workspace w ON w.id = g.workspace_id
         WHERE w.owner_id = $1 AND g.type = ANY ($2::text[]) AND g.is_enabled
         ORDER BY ${ownerOrder('g', 'w')} OFFSET $3
       ), held AS (SELECT id FROM action_group WHERE id IN (SELECT id FROM over) ORDER BY id FOR NO KEY UPDATE)
       UPDATE action_group SET is_enabled = false,
         last_modified = greatest($4::timestamptz, last_modified + interval '1 ms')
       FROM held WHERE action_group.id = held.id
       RETURNING action_group.workspace_id AS "workspaceId", action_group.id, action_group.name`,
      [ownerId, types, keep, now],
    );
  },
};
