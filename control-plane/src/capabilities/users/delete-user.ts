import type { Tx } from '../../platform/db/database.js';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import type { Requester } from '../../platform/identity/caller.js';
import { requireSelf } from './change-user.js';
import { describeUser, goneFault } from './read-user.js';
import type { Users } from './user-of-principal.js';
import type { User } from './user-schemas.js';
import { userStore } from './user-store.js';

/**
 * Told that a user is about to go, in the transaction in which it does: takes along what cannot be without it.
 * Where it throws, nothing was changed.
 */
export type UserLeaving = (tx: Tx, requester: Requester) => Promise<void>;

export interface UserAccountDeps {
  db: Database;
  clock: Clock;
  users: Pick<Users, 'forget'>;
  onUserLeaving: UserLeaving;
  /** Called after the commit: checks of the user's monitors have ended. */
  onUserGone?: () => void;
}

/**
 * Deletes the own account, with what belongs to nobody else. The principal's next call makes a new one.
 * @throws Fault `not_found` for any id but the own one, `last_owner`, `precondition_failed`
 */
export async function deleteUser(
  deps: UserAccountDeps,
  requester: Requester,
  id: string,
  checkPrecondition: (current: User) => void = () => {},
): Promise<void> {
  requireSelf(requester.caller, id);
  const row = await deps.db.transaction(async (tx) => {
    // Whoever is about to give the user something new, such as a membership, waits, and then finds nobody.
    const user = await userStore.lock(tx, id, 'FOR UPDATE');
    if (!user) throw goneFault();
    checkPrecondition(describeUser(user, deps.clock.now()));
    await deps.onUserLeaving(tx, requester);
    await userStore.remove(tx, id);
    return user;
  });
  deps.users.forget(row);
  deps.onUserGone?.();
}
