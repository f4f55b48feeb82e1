import { laterThan } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import { lockPerson } from '../users/index.js';
import { MAX_MEMBERS } from './answer-invitation.js';
import { decideMapped, decideMappedRole } from './decide-mapped-role.js';
import { memberChange } from './members.js';
import { memberStore } from './member-store.js';
import { membershipStore } from './membership-store.js';
import { findMapped } from './role-mapping-store.js';
import { callListeners, type WorkspaceChangeDeps } from './workspace-deps.js';
import { workspaceStore } from './workspace-store.js';

interface Person {
  userId: string;
  /** True where this sign-in made the account. */
  isNew: boolean;
}

type Deps = Pick<WorkspaceChangeDeps, 'db' | 'clock' | 'listeners'>;

/**
 * Gives a person the roles that the values of the claim have in the workspaces that map them, and ends memberships that no value
 * gives any more. Only a difference is written.
 */
export async function followRoleMappings(deps: Deps, user: Person, values: readonly string[]): Promise<void> {
  // PostgreSQL keeps no NUL in text, so that no mapping has one.
  const storable = values.filter((value) => !value.includes('\0'));
  const found = await deps.db.read((tx) => findMapped(tx, user.userId, storable));
  for (const { workspaceId, mapping, member } of found)
    if (decideMapped(member ?? undefined, decideMappedRole(mapping, storable)) !== null)
      await deps.db.transaction((tx) => followIn(tx, deps, workspaceId, user, storable));
}

/** Decides again under the lock of the workspace: its mapping and the membership may have changed meanwhile. */
async function followIn(
  tx: Tx,
  deps: Deps,
  workspaceId: string,
  { userId, isNew }: Person,
  values: readonly string[],
): Promise<void> {
  const workspace = await workspaceStore.lock(workspaceId, tx);
  if (!workspace) return;
  const member = await memberStore.findByUser(workspaceId, tx, userId);
  const mapped = decideMappedRole(workspace.roleMapping, values);
  const change = decideMapped(member, mapped);
  const nowMs = deps.clock.now();
  if (change === 'join') {
    if ((await memberStore.count(workspaceId, tx)) >= MAX_MEMBERS || !(await lockPerson(tx, userId))) return;
    const { role, value } = mapped!;
    const id = newId(nowMs);
    // The default workspace of requests stays, except that of a new account, which is empty.
    const lastUsedMs = isNew ? nowMs + 1 : 0;
    await membershipStore.insert(workspaceId, tx, { id, userId, role, nowMs, lastUsedMs, roleSource: 'claim' });
    await recordAudit(deps, tx, 'roleMapping', {
      workspaceId,
      action: 'member.added',
      target: { id, name: null, userId },
      before: null,
      after: { role, status: 'active', claimValue: value },
    });
  } else if (member && change === 'change') {
    const { role, value } = mapped!;
    const changed = { ...member, role, lastModified: laterThan(member.lastModified, nowMs) };
    await memberStore.save(workspaceId, tx, changed);
    const entry = memberChange(member, changed);
    await recordAudit(deps, tx, 'roleMapping', { ...entry, workspaceId, after: { ...entry.after, claimValue: value } });
  } else if (member && change === 'leave') {
    await callListeners(deps, tx, { kind: 'memberLeaving', workspaceId, memberId: member.id, by: 'roleMapping' });
    await memberStore.remove(workspaceId, tx, member.id);
    await recordAudit(deps, tx, 'roleMapping', { ...memberChange(member, null), workspaceId });
  }
}
