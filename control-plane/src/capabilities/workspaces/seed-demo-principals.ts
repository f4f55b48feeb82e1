import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Database, Tx } from '../../platform/db/database.js';
import { ensureUserIn, type Principal, type UserCreated } from '../users/index.js';
import { createPersonalWorkspace } from './create-personal-workspace.js';
import { membershipStore } from './membership-store.js';

/**
 * Creates the users of the demo account and of the demo machine client. The client also becomes an Admin of the account's
 * workspace, so that curl shows the same as the browser. Done once: a client that is removed later stays removed.
 */
export async function seedDemoPrincipals(
  { db, clock, onUserCreated = createPersonalWorkspace }: { db: Database; clock: Clock; onUserCreated?: UserCreated },
  demo: { account: Omit<Principal, 'clientId'>; machineClient: Omit<Principal, 'clientId'> },
): Promise<void> {
  const nowMs = clock.now();
  const at = (ms: number) => ({ clock: { now: () => ms }, onUserCreated });
  await db.transaction(async (tx) => {
    // The account's workspace is newer and used last, so it is the first in the client's list and its default.
    const client = await ensureUserIn(tx, at(nowMs), demo.machineClient);
    const account = await ensureUserIn(tx, at(nowMs + 1), demo.account);
    if (client.isNew) await sharePersonalWorkspace(tx, { ownerId: account.userId }, client, nowMs + 1);
  });
}

/**
 * Makes a user an Admin of another user's personal workspace, used last at `nowMs`, so that the demo machine client sees
 * what the demo account sees.
 */
async function sharePersonalWorkspace(
  tx: Tx,
  from: { ownerId: string },
  to: { userId: string },
  nowMs: number,
): Promise<void> {
  const memberships = await membershipStore.ofUser(tx, from.ownerId, null);
  const personal = memberships.find(({ ownerId, role }) => ownerId === from.ownerId && role === 'Owner');
  if (!personal) return;
  await membershipStore.insert(personal.workspaceId, tx, {
    id: newId(nowMs),
    userId: to.userId,
    role: 'Admin',
    nowMs,
  });
}
