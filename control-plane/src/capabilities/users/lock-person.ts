import type { Tx } from '../../platform/db/database.js';
import { userStore } from './user-store.js';

/**
 * Whether a user's email is known and verified, holding the account until the transaction ends, so that
 * what is given to it finds it there.
 * @returns undefined where the account is gone
 */
export async function lockPerson(
  tx: Tx,
  userId: string,
): Promise<{ email: string | null; emailVerified: boolean } | undefined> {
  return userStore.lock(tx, userId, 'FOR NO KEY UPDATE');
}
