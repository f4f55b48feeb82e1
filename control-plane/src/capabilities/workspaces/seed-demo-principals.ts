import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import { ensureUserIn, type Principal } from '../users/index.js';
import { createPersonalWorkspace } from './create-personal-workspace.js';
import { sharePersonalWorkspace } from './share-workspace.js';

/**
 * Makes the users of the demo account and of the demo machine client. The client, a principal like any
 * other with a workspace of its own, also becomes an Admin of the account's, so that a newcomer sees the
 * same with curl as in the browser. Done once: who is taken out of the workspace later stays out.
 */
export async function seedDemoPrincipals(
  { db, clock }: { db: Database; clock: Clock },
  demo: { account: Omit<Principal, 'clientId'>; machineClient: Omit<Principal, 'clientId'> },
): Promise<void> {
  const nowMs = clock.now();
  const at = (ms: number) => ({ clock: { now: () => ms }, onUserCreated: createPersonalWorkspace });
  await db.transaction(async (tx) => {
    // The account's workspace is the newer one and the one used last: first in the client's list, and its default.
    const client = await ensureUserIn(tx, at(nowMs), demo.machineClient);
    const account = await ensureUserIn(tx, at(nowMs + 1), demo.account);
    if (client.isNew) await sharePersonalWorkspace(tx, { ownerId: account.userId }, client, nowMs + 1);
  });
}
