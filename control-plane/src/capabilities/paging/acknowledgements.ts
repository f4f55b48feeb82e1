import type { Tx } from '../../platform/db/database.js';
import { IS_ACK_EXPIRED, pagingStore } from './paging-store.js';

/** The rules of escalation policies about acknowledgements of incidents. */
export const acknowledgements = {
  /** True if some end, as a condition of a due task. */
  isExpiryDue: IS_ACK_EXPIRED,

  /** Incidents of which an acknowledgement has ended, of each owner in turn. */
  async expired(tx: Tx, now: Date, limit: number): Promise<{ workspaceId: string; incidentId: string }[]> {
    return pagingStore.expired(tx, now, limit);
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
