import { Fault, notFound } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import { setRequestTenant } from '../../platform/db/request-context.js';
import type { Caller, WorkspaceAccess } from '../../platform/identity/caller.js';
import { decideWorkspace, type Membership, type WorkspaceSelection } from './decide-workspace.js';
import { membershipStore } from './membership-store.js';
import type { WorkspaceDeps } from './workspace-deps.js';

/**
 * The workspace of a request, and the caller's role in it. With an API key there is no other than the key's.
 * @throws Fault `no_workspace_context`, `member_suspended`; `not_found` where the path names a foreign one
 */
export async function resolveWorkspace(
  deps: WorkspaceDeps,
  caller: Caller,
  selection: WorkspaceSelection,
): Promise<WorkspaceAccess> {
  const { userId, credential } = caller;
  const ofKey = credential.type === 'apiKey' ? credential.workspaceId : undefined;
  const named = (selection.pathId ?? selection.headerId)?.toLowerCase();
  const isOpen = named === undefined || (isUuid(named) && named === (ofKey ?? named));
  const memberships = isOpen
    ? await deps.db.read((tx) => membershipStore.ofUser(tx, userId, ofKey ?? named ?? null))
    : [];
  const decision = decideWorkspace(memberships, selection);
  switch (decision.kind) {
    case 'resolved':
      setRequestTenant(decision.membership.ownerId);
      // A program with a key works elsewhere than the person, whose default stays as it is.
      if (ofKey === undefined && !selection.isRepeat) await noteUse(deps, decision.membership);
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
