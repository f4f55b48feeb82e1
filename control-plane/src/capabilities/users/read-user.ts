import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import { viewOf } from '../../platform/http/view-of.js';
import { decideTrial, goneFault } from '../plans/index.js';
import { type User, userSchema } from './user-schemas.js';
import { type UserRow, userStore } from './user-store.js';

/** A user's profile. @throws Fault `not_found` where the account was deleted a moment ago */
export async function readUser(deps: { db: Database; clock: Clock }, userId: string): Promise<User> {
  const row = await deps.db.read((tx) => userStore.find(tx, userId));
  if (!row) throw goneFault();
  return describeUser(row, deps.clock.now());
}

export function describeUser(row: UserRow, nowMs: number): User {
  return viewOf(userSchema, { ...row, trial: decideTrial(row, nowMs) });
}
