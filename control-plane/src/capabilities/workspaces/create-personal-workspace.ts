import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../platform/db/database.js';
import { membershipStore } from './membership-store.js';
import { workspaceStore } from './workspace-store.js';

const MAX_NAME_LENGTH = 200;

/**
 * Creates the personal workspace that every user has, with the user as Owner, in the transaction that creates the user or
 * transfers the former personal workspace.
 * @returns its id
 * @param isUsed false ranks it behind all other workspaces of the user as default
 */
export async function createPersonalWorkspace(
  tx: Tx,
  user: { id: string; name: string | null; email: string | null },
  nowMs: number,
  { isUsed } = { isUsed: true },
): Promise<string> {
  const workspaceId = newId(nowMs);
  const called = user.name ?? user.email?.split('@')[0];
  const name = called ? `${called.slice(0, MAX_NAME_LENGTH - 12)}'s workspace` : 'Personal workspace';
  await workspaceStore.insert(workspaceId, tx, { name, isPersonal: true, ownerId: user.id, nowMs });
  const member = { id: newId(nowMs), userId: user.id, role: 'Owner', nowMs } as const;
  await membershipStore.insert(workspaceId, tx, isUsed ? member : { ...member, lastUsedMs: 0 });
  return workspaceId;
}
