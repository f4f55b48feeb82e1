import { Fault, notFound } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import type { Caller, WorkspaceAccess } from '../../platform/identity/caller.js';
import { decideWorkspace, type Membership, type WorkspaceSelection } from './decide-workspace.js';
import { membershipStore } from './membership-store.js';
import type { WorkspaceDeps } from './workspace-deps.js';

/**
 * The workspace of a request, and the caller's role in it.
 * @throws Fault `no_workspace_context`, `member_suspended`; `not_found` where the path names a foreign one
 */
export async function resolveWorkspace(
  deps: WorkspaceDeps,
  caller: Caller,
  selection: WorkspaceSelection,
): Promise<WorkspaceAccess> {
  const named = selection.pathId ?? selection.headerId;
  const memberships =
    named !== undefined && !isUuid(named)
      ? []
      : await deps.db.read((tx) => membershipStore.ofUser(tx, caller.userId, named ?? null));
  const decision = decideWorkspace(memberships, selection);
  switch (decision.kind) {
    case 'resolved':
      await noteUse(deps, decision.membership);
      return accessOf(decision.membership);
    case 'not_found':
      throw notFound('workspace');
    case 'member_suspended':
      throw new Fault(
        'member_suspended',
        'Your membership of this workspace, or the account of its owner, is suspended; ask one of its admins.',
      );
    case 'no_workspace_context':
      throw new Fault(
        'no_workspace_context',
        'Send the id of a workspace that you belong to as X-Workspace-Id; GET /api/v1/workspaces lists them.',
      );
  }
}

/** Written only when the user switches workspaces. */
async function noteUse({ db, clock }: WorkspaceDeps, { workspaceId, memberId, isLatest }: Membership): Promise<void> {
  if (!isLatest) await db.read((tx) => membershipStore.touch(workspaceId, tx, memberId, clock.now()));
}

function accessOf({ workspaceId, memberId, role, ownerId }: Membership): WorkspaceAccess {
  return { workspaceId, memberId, role, ownerId };
}
