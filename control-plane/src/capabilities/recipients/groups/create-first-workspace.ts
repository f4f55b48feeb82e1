import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import { createPersonalWorkspace } from '../../workspaces/index.js';
import { actionGroupStore } from './action-group-store.js';
import { decideNewGroup } from './create-action-group.js';
import { groupUseStore } from './group-use-store.js';

/**
 * Creates the personal workspace of a new user. Its monitors alert the user from the first one on: it has a group "Me" with the
 * verified address, which new monitors are given.
 */
export async function createFirstWorkspace(
  tx: Tx,
  user: { id: string; name: string | null; email: string | null; emailVerified: boolean },
  nowMs: number,
): Promise<void> {
  const workspaceId = await createPersonalWorkspace(tx, user, nowMs);
  if (user.email === null || !user.emailVerified) return;
  const group = decideNewGroup('email', { name: 'Me', recipients: [user.email] });
  const { name, isEnabled, attachTo, rules, settings } = group;
  const [id, created] = [newId(nowMs), new Date(nowMs)];
  await actionGroupStore.insert(workspaceId, tx, {
    ...{ id, type: 'email', name, isEnabled, rules, settings, secrets: null, created, lastModified: created },
    ...{ attachTags: attachTo.tags, attachAll: attachTo.all },
  });
  await groupUseStore.addToDefaults(workspaceId, tx, id);
}
