import type { Tx } from '../../../platform/db/database.js';
import { ServiceCallEntity } from './service-call.entity.js';

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
