import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Database } from '../../platform/db/database.js';
import type { Caller } from '../../platform/identity/caller.js';
import { goneFault } from '../plans/index.js';
import { describeUser } from './read-user.js';
import type { User, UserInput } from './user-schemas.js';
import { userStore } from './user-store.js';

/**
 * Changes the fields of the caller's profile that `input` names. An unchanged profile is not written.
 * @throws Fault `not_found` for any id but the caller's, `validation_failed` for another email, `precondition_failed`
 */
export async function changeUser(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  id: string,
  input: UserInput,
  checkPrecondition: (current: User) => void = () => {},
): Promise<User> {
  requireSelf(caller, id);
  return deps.db.transaction(async (tx) => {
    const row = await userStore.lock(tx, id, 'for_no_key_update');
    if (!row) throw goneFault();
    const nowMs = deps.clock.now();
    checkPrecondition(describeUser(row, nowMs));
    if (input.email !== undefined && input.email?.trim().toLowerCase() !== row.email?.toLowerCase()) {
      throw new Fault('validation_failed', 'Change your email where you sign in: it comes from your OpenID provider.', [
        { path: 'email', message: 'is not the one that your OpenID provider reports' },
      ]);
    }
    if (input.name === undefined || input.name === row.name) return describeUser(row, nowMs);
    const change = { name: input.name, lastModified: new Date(nowMs) };
    await userStore.update(tx, id, change);
    return describeUser({ ...row, ...change }, nowMs);
  });
}

/**
 * The account of the caller, which the first request with the token creates. `input` is applied only where this request
 * created it.
 * @returns `isNew`: whether this request created the account
 */
export async function createUser(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  input: UserInput,
): Promise<{ user: User; isNew: boolean }> {
  const isNew = caller.isNew === true;
  const user = await changeUser(deps, caller, caller.userId, isNew ? input : {});
  return { user, isNew };
}

/** @throws Fault `not_found` also for existing other users */
export function requireSelf(caller: Caller, id: string): void {
  if (caller.userId !== id) throw new Fault('not_found', 'There is no user by that id.');
}
