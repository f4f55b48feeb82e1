import { Fault } from '@watchpost/shared/fault';
import { type ChangeAuthor, recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { lockWorkspaceAs } from './lock-workspace.js';
import { memberStore } from './member-store.js';
import { membershipStore } from './membership-store.js';
import { readWorkspace, steadyPart } from './read-workspaces.js';
import { callListeners, type WorkspaceChangeDeps } from './workspace-deps.js';
import { workspaceStore } from './workspace-store.js';

/**
 * Deletes a workspace with everything in it. Its monitors are no longer checked.
 * @throws Fault `personal_workspace`, `insufficient_workspace_role`, `precondition_failed`, `not_found`
 */
export async function deleteWorkspace(deps: WorkspaceChangeDeps, actor: Actor): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const { workspace, self } = await lockWorkspaceAs(tx, actor, 'Owner');
    actor.checkPrecondition?.(steadyPart(await readWorkspace(tx, { workspaceId, memberId: self.id })));
    if (workspace.isPersonal) throw personalFault();
    await remove(deps, tx, actor, workspace);
  });
  deps.onChecksChanged();
}

/**
 * Deletes the workspaces of a user who is being deleted and records that the user leaves the others, in the transaction that
 * has locked the account.
 * @throws Fault `last_owner` while one of them has other members
 */
export async function deleteWorkspacesOfUser(
  deps: Pick<WorkspaceChangeDeps, 'listeners' | 'clock'>,
  tx: Tx,
  userId: string,
  author: ChangeAuthor,
): Promise<void> {
  const owned = await workspaceStore.lockOfOwner(userId, tx);
  const shared: typeof owned = [];
  for (const workspace of owned) if ((await memberStore.count(workspace.id, tx)) > 1) shared.push(workspace);
  if (shared.length > 0) throw new Fault('last_owner', shared.map(sharedText).join(' '));
  for (const workspace of owned) await remove(deps, tx, author, workspace);
  const left = await membershipStore.ofUser(tx, userId, null);
  for (const { workspaceId, memberId } of left)
    await callListeners(deps, tx, { kind: 'memberLeaving', workspaceId, memberId, by: author });
  await recordAudit(
    deps,
    tx,
    author,
    ...left.map(({ workspaceId, memberId, role }) => ({
      workspaceId,
      action: 'member.left' as const,
      target: { id: memberId, name: null, userId },
      before: { role },
      after: null,
    })),
  );
}

async function remove(
  deps: Pick<WorkspaceChangeDeps, 'listeners' | 'clock'>,
  tx: Tx,
  author: ChangeAuthor,
  { id: workspaceId, name }: { id: string; name: string },
): Promise<void> {
  await callListeners(deps, tx, { kind: 'deleting', workspaceId });
  await workspaceStore.remove(workspaceId, tx);
  const target = { id: workspaceId, name };
  await recordAudit(deps, tx, author, {
    workspaceId,
    action: 'workspace.deleted',
    target,
    before: { name },
  });
}

function personalFault(): Fault {
  return new Fault(
    'personal_workspace',
    'A personal workspace goes only with its account; delete the account, or transfer the workspace first.',
  );
}

/** A personal workspace cannot be deleted. */
function sharedText({ name, isPersonal }: { name: string; isPersonal: boolean }): string {
  const remedy = isPersonal ? 'transfer its ownership or' : 'transfer its ownership, delete it, or';
  return `The workspace ${JSON.stringify(name)} has other members: ${remedy} remove them first.`;
}
