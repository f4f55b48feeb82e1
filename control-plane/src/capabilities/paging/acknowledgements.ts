import type { Clock } from '@watchpost/shared/clock';
import type { Transactions, Tx } from '../../platform/db/database.js';
import { IS_ACK_EXPIRED, pagingStore } from './paging-store.js';
import { takeDue } from './take-due.js';

/** The rules of escalation policies about acknowledgements of incidents. */
export const acknowledgements = {
  /** True if some end, as a condition of a due task. */
  isExpiryDue: IS_ACK_EXPIRED,

  /**
   * Takes the incidents of which an acknowledgement has ended, of each owner in turn.
   * @returns how many there were
   * @throws the first error of an incident, after all others are taken
   */
  async takeAllExpired(
    { db, clock }: { db: Transactions; clock: Clock },
    limit: number,
    take: (workspaceId: string, incidentId: string) => Promise<void>,
  ): Promise<number> {
    return takeDue<{ workspaceId: string; incidentId: string }>(
      (failed) => db.read((tx) => pagingStore.expired(tx, new Date(clock.now()), limit, failed)),
      ({ incidentId }) => incidentId,
      async ([one]) => {
        await take(one!.workspaceId, one!.incidentId);
        return 1;
      },
    );
  },

  /** @returns whether this call is the first since the acknowledgement of the incident ended */
  async takeExpired(tx: Tx, workspaceId: string, incidentId: string, now: Date): Promise<boolean> {
    return pagingStore.takeExpired(workspaceId, tx, incidentId, now);
  },

  /** True if a person has to acknowledge an incident although somebody has. */
  async isAwaited(tx: Tx, workspaceId: string, incidentId: string, userId: string): Promise<boolean> {
    return pagingStore.isAwaited(workspaceId, tx, incidentId, userId);
  },
};
