import { Fault, notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import { type Actor, type Role, roleAllows } from '../../platform/identity/caller.js';
import { type MemberRow, memberStore } from './member-store.js';
import { workspaceStore } from './workspace-store.js';
import type { WorkspaceEntity } from './workspace.entity.js';

/**
 * Locks a workspace until the transaction ends, which serialises changes of its members, invitations and owner.
 * Checks the caller's membership again under the lock, because it may have changed since the request was admitted.
 * @throws Fault `not_found`, `member_suspended`, `insufficient_workspace_role`
 */
export async function lockWorkspaceAs(
  tx: Tx,
  { caller, workspace: { workspaceId } }: Actor,
  minimum: Role,
): Promise<{ workspace: WorkspaceEntity; self: MemberRow }> {
  const workspace = await workspaceStore.lock(workspaceId, tx);
  const self = workspace && (await memberStore.findByUser(workspaceId, tx, caller.userId));
  if (!workspace || !self) throw notFound('workspace');
  if (self.status === 'suspended') {
    throw new Fault('member_suspended', 'Your membership of this workspace is suspended; ask one of its admins.');
  }
  if (!roleAllows(self.role, minimum)) throw insufficientRole(minimum, self.role);
  return { workspace, self };
}

export function insufficientRole(needed: Role, held: Role): Fault {
  return new Fault('insufficient_workspace_role', `This needs the role ${needed}; yours in this workspace is ${held}.`);
}
