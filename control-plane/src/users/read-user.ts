import { Fault } from '@watchpost/shared/fault';
import type { Database } from '../db/database.js';
import type { Caller } from '../identity/caller.js';
import type { PlanName } from '../plans/index.js';
import type { User } from './user-schemas.js';
import { userStore } from './user-store.js';

/** The caller's own profile. @throws Fault `not_found` where the account was deleted a moment ago */
export async function readOwnUser(deps: { db: Database }, caller: Caller): Promise<User> {
  const row = await deps.db.read((tx) => userStore.find(tx, caller.userId));
  if (!row) throw new Fault('not_found', 'This account has been deleted.');
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    plan: row.plan as PlanName,
    trial: { status: 'none', plan: null, started: null, ends: null, daysRemaining: null },
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}
