import { laterThan } from '@watchpost/shared/clock';
import { beyondMost, Fault, found } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { lockAccountEntitlements } from '../plans/index.js';
import { MAX_OWNED_WORKSPACES } from './create-workspace.js';
import { createPersonalWorkspace } from './create-personal-workspace.js';
import { lockWorkspaceAs } from './lock-workspace.js';
import { memberStore } from './member-store.js';
import { readWorkspace } from './read-workspaces.js';
import { callListeners, type WorkspaceChangeDeps } from './workspace-deps.js';
import type { Workspace } from './workspace-schemas.js';
import { workspaceStore } from './workspace-store.js';

/**
 * Makes another member the Owner, whose plan applies from then on; the former Owner becomes an Admin. Of two concurrent
 * transfers, the second is refused because the caller is no longer Owner. A personal workspace becomes an ordinary one, and
 * its former Owner gets a new, empty personal workspace.
 * @throws Fault `not_found`, `validation_failed` for oneself, a suspended member or one whose account is suspended,
 *   `insufficient_workspace_role`, `plan_limit_exceeded` where the new owner has too many workspaces
 */
export async function transferOwnership(deps: WorkspaceChangeDeps, actor: Actor, memberId: string): Promise<Workspace> {
  const { workspaceId } = actor.workspace;
  const transferred = await deps.db.transaction(async (tx) => {
    const { workspace, self } = await lockWorkspaceAs(tx, actor, 'Owner');
    const heir = found(await memberStore.find(workspaceId, tx, memberId), 'member');
    if (heir.id === self.id) throw unfit('is the Owner already');
    if (heir.status === 'suspended') throw unfit('is suspended: reactivate the member first');

    // Locks both accounts, always in the same order, so that counts against their limits wait.
    for (const userId of [heir.userId, self.userId].toSorted()) await lockAccountEntitlements(tx, userId);
    const entitlements = found(await lockAccountEntitlements(tx, heir.userId), 'member');
    if ((await workspaceStore.countOfOwner(heir.userId, tx)) >= MAX_OWNED_WORKSPACES) {
      const message = `That member owns ${MAX_OWNED_WORKSPACES} workspaces, which is the most.`;
      throw beyondMost('workspaces', MAX_OWNED_WORKSPACES, message, 'memberId');
    }

    const nowMs = deps.clock.now();
    const now = new Date(nowMs);
    // In this order, because a workspace must never have two Owners.
    await memberStore.save(workspaceId, tx, { ...self, role: 'Admin', lastModified: now });
    await memberStore.save(workspaceId, tx, { ...heir, role: 'Owner', roleSource: 'hand', lastModified: now });
    const lastModified = laterThan(workspace.lastModified, nowMs);
    await workspaceStore.save(workspaceId, tx, {
      ownerId: heir.userId,
      ownedSince: now,
      isPersonal: false,
      lastModified,
    });
    if (await workspaceStore.isSuspended(workspaceId, tx)) throw unfit('has an account that is suspended');
    if (workspace.isPersonal) await createPersonalWorkspace(tx, { ...self, id: self.userId }, nowMs, { isUsed: false });
    const owners = { ownerId: heir.userId, formerOwnerId: self.userId };
    await callListeners(deps, tx, { kind: 'transferred', workspaceId, ...owners, entitlements });
    await recordAudit(deps, tx, actor, {
      action: 'workspace.ownership_transferred',
      target: workspace,
      before: { ownerId: self.userId },
      after: { ownerId: heir.userId },
    });
    return readWorkspace(tx, { workspaceId, memberId: self.id });
  });
  deps.onChecksChanged();
  return transferred;
}

function unfit(message: string): Fault {
  return new Fault('validation_failed', 'Name an active member other than the Owner.', [{ path: 'memberId', message }]);
}
