import type { Database, Tx } from '../../platform/db/database.js';
import type { Clock } from '@watchpost/shared/clock';
import type { ChangeAuthor } from '../audit/index.js';
import type { Requester } from '../../platform/identity/caller.js';
import { requireSelf } from './change-user.js';
import { goneFault } from '../plans/index.js';
import { describeUser } from './read-user.js';
import type { Users } from './user-of-principal.js';
import type { User } from './user-schemas.js';
import { type UserRow, userStore } from './user-store.js';

/**
 * Called in the transaction that deletes a user: deletes what depends on the user. An error undoes everything.
 */
export type UserLeaving = (tx: Tx, userId: string, author: ChangeAuthor) => Promise<void>;

export interface UserAccountDeps {
  db: Database;
  clock: Clock;
  users: Pick<Users, 'forget'>;
  onUserLeaving: UserLeaving;
  /** Called after the commit, when the checks of the user's monitors have ended. */
  onUserGone?: () => void;
}

/**
 * Deletes the caller's account with everything that only the caller owns. The next request of the principal creates a new one.
 * @throws Fault `not_found` for any id but the caller's, `last_owner`, `precondition_failed`
 */
export async function deleteUser(
  deps: UserAccountDeps,
  requester: Requester,
  id: string,
  checkPrecondition: (current: User) => void = () => {},
): Promise<void> {
  requireSelf(requester.caller, id);
  const row = await deps.db.transaction((tx) =>
    deleteUserIn(tx, deps, id, requester, (user) => checkPrecondition(describeUser(user, deps.clock.now()))),
  );
  deps.users.forget(row);
  deps.onUserGone?.();
}

/**
 * Deletes an account with everything that only it owns.
 * @param check called under the lock of the account
 * @throws Fault `not_found`, `last_owner`
 */
export async function deleteUserIn(
  tx: Tx,
  { onUserLeaving }: Pick<UserAccountDeps, 'onUserLeaving'>,
  id: string,
  author: ChangeAuthor,
  check: (user: UserRow) => void = () => {},
): Promise<UserRow> {
  // A concurrent request that adds something to the user, for example a membership, waits here and then finds no user.
  const user = await userStore.lock(tx, id, 'pessimistic_write');
  if (!user) throw goneFault();
  check(user);
  await onUserLeaving(tx, id, author);
  await userStore.remove(tx, id);
  return user;
}
