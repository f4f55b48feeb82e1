import type { Tx } from '../../platform/db/database.js';
import { memberStore } from './member-store.js';

/** The members of a workspace with their email addresses, in lower case; null where an account has none. */
export function readMemberAddresses(tx: Tx, workspaceId: string): Promise<{ userId: string; email: string | null }[]> {
  return memberStore.addresses(workspaceId, tx);
}
