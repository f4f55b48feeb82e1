import type { Tx } from '../../../platform/db/database.js';
import { ServiceCallEntity } from './service-call.entity.js';
import type { Role } from '../../../platform/identity/caller.js';

/** Calls of services, by group, which is the tenant that they prove to act for. */
export const serviceCallStore = {
  /** @returns the answer to the same call before; null where it has none yet */
  async begin(groupId: string, tx: Tx, digest: Buffer, at: Date): Promise<object | null> {
    const row = await tx.one<{ answer: object | null }>(
      `INSERT INTO service_call (group_id, digest, at) VALUES ($1, $2, $3)
       ON CONFLICT (group_id, digest) DO UPDATE SET at = service_call.at RETURNING answer`,
      [groupId, digest, at],
    );
    return row!.answer;
  },

  async end(groupId: string, tx: Tx, digest: Buffer, answer: object): Promise<void> {
    await tx.manager.update(ServiceCallEntity, { groupId, digest }, { answer });
  },

  /** Deletes calls of all groups. */
  async purge(tx: Tx, before: Date): Promise<void> {
    await tx.query('DELETE FROM service_call WHERE at < $1', [before]);
  },
};

export const phoneMemberStore = {
  /** The active member whose own number this is; of several the first one by id. */
  async find(workspaceId: string, tx: Tx, phoneNumber: string): Promise<{ userId: string; role: Role } | undefined> {
    return tx.one(
      `SELECT user_id AS "userId", role FROM reachable_member
       WHERE workspace_id = $1 AND preferences ->> 'phoneNumber' = $2 ORDER BY user_id LIMIT 1`,
      [workspaceId, phoneNumber],
    );
  },
};
