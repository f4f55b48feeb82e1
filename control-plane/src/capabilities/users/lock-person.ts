import type { Tx } from '../../platform/db/database.js';
import { userStore } from './user-store.js';

type Person = { email: string | null; emailVerified: boolean };

/** @returns whether the email is known and verified; null if the account does not exist */
export async function readPerson(tx: Tx, userId: string): Promise<Person | null> {
  return userStore.find(tx, userId);
}

/**
 * Locks a user's account until the transaction ends, so that rows that refer to it can be added.
 * @returns whether the email is known and verified; null if the account does not exist
 */
export async function lockPerson(tx: Tx, userId: string): Promise<Person | null> {
  return userStore.lock(tx, userId, 'for_no_key_update');
}
