import type { Tx } from '../../platform/db/database.js';
import { valuesOf } from '../../platform/db/values-of.js';

/** The person and the swap that a link is for. */
export interface SwapLink {
  workspaceId: string;
  id: string;
  scheduleId: string;
  swapId: string;
  userId: string;
  /** True if the person is an active member of the workspace. */
  isMember: boolean;
}

/** Links by which people answer swaps, by the hash of their tokens. */
export const swapLinkStore = {
  async insert(
    workspaceId: string,
    tx: Tx,
    links: readonly { hash: Buffer; swapId: string; userId: string }[],
  ): Promise<void> {
    await tx.query(
      `INSERT INTO swap_link (hash, workspace_id, swap_id, user_id)
       SELECT hash, $1, swap_id, user_id FROM unnest($2::bytea[], $3::uuid[], $4::uuid[]) AS new (hash, swap_id, user_id)`,
      [workspaceId, ...valuesOf(links, 'hash', 'swapId', 'userId')],
    );
  },

  /** Finds a link by its token alone, which is the credential, until the shift begins. */
  async find(tx: Tx, hash: Buffer, now: Date): Promise<SwapLink | undefined> {
    return tx.one(
      `SELECT link.workspace_id AS "workspaceId", swap.team_id AS id, swap.schedule_id AS "scheduleId",
         swap.id AS "swapId", link.user_id AS "userId", person.user_id IS NOT NULL AS "isMember"
       FROM swap_link link JOIN on_call_swap swap ON swap.id = link.swap_id AND swap.workspace_id = link.workspace_id
         LEFT JOIN reachable_member person ON person.workspace_id = link.workspace_id AND person.user_id = link.user_id
       WHERE hash = $1 AND swap.shift_start > $2`,
      [hash, now],
    );
  },

  async remove(tx: Tx, hash: Buffer): Promise<void> {
    await tx.query('DELETE FROM swap_link WHERE hash = $1', [hash]);
  },
};
