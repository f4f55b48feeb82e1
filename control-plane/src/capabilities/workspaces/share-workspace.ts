import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../platform/db/database.js';
import { membershipStore } from './membership-store.js';

/**
 * Makes a user an Admin of another user's personal workspace, used last at `nowMs`, so that the demo machine client sees
 * what the demo account sees.
 */
export async function sharePersonalWorkspace(
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
