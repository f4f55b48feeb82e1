import type { Tx } from '../../platform/db/database.js';
import { userStore } from './user-store.js';

/**
 * Locks a user's account until the transaction ends, so that rows that refer to it can be added.
 * @returns whether the email is known and verified; undefined if the account does not exist
 */
export async function lockPerson(
  tx: Tx,
  userId: string,
): Promise<{ email: string | null; emailVerified: boolean } | undefined> {
  return userStore.lock(tx, userId, 'FOR NO KEY UPDATE');
}
