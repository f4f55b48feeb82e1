import type { Transactions } from '../../../platform/db/database.js';
import { type AccountName, chatAccountStore, type LinkedMember } from './chat-account-store.js';

/** Finds the active member of a workspace who has confirmed a chat account. */
export async function findLinkedMember(
  { db }: { db: Transactions },
  workspaceId: string,
  account: Omit<AccountName, 'use'>,
): Promise<LinkedMember | undefined> {
  return db.read((tx) => chatAccountStore.linkedMember(workspaceId, tx, account));
}
