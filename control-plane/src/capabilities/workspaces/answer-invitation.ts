import { beyondMost, Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { hashToken } from '../../platform/identity/secret-token.js';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Caller, Requester } from '../../platform/identity/caller.js';
import { goneFault } from '../plans/index.js';
import { lockPerson } from '../users/index.js';
import { requireAnswerable } from './decide-invitation-answer.js';
import { anyInvitationStore, type InvitationRow, invitationStore } from './invitation-store.js';
import { memberStore } from './member-store.js';
import { membershipStore } from './membership-store.js';
import { readWorkspace } from './read-workspaces.js';
import type { WorkspaceDeps } from './workspace-deps.js';
import type { Workspace } from './workspace-schemas.js';
import { workspaceStore } from './workspace-store.js';

/** Bounds lists and locks; a workspace is for people who work together. */
export const MAX_MEMBERS = 1_000;

/**
 * Accepts an invitation: the caller joins the workspace with the invited role. Only one of concurrent requests succeeds.
 * @returns the workspace as the new member sees it
 * @throws Fault `not_found` for an unknown token, `not_invited`, `invitation_expired`,
 *   `invitation_not_pending`, `already_member`, `plan_limit_exceeded` where the workspace is full
 */
export async function acceptInvitation(deps: WorkspaceDeps, requester: Requester, token: string): Promise<Workspace> {
  const { caller } = requester;
  return deps.db.transaction(async (tx) => {
    const invitation = await lockAnswerable(deps, tx, caller, token);
    const { workspaceId, role } = invitation;
    if (await memberStore.findByUser(workspaceId, tx, caller.userId)) {
      throw new Fault('already_member', 'You are a member of this workspace already.');
    }
    if ((await memberStore.count(workspaceId, tx)) >= MAX_MEMBERS)
      throw beyondMost('members', MAX_MEMBERS, `A workspace has at most ${MAX_MEMBERS} members.`);
    const nowMs = deps.clock.now();
    const memberId = newId(nowMs);
    await invitationStore.settle(workspaceId, tx, invitation.id, 'accepted', new Date(nowMs));
    await membershipStore.insert(workspaceId, tx, { id: memberId, userId: caller.userId, role, nowMs });
    await recordAudit(deps, tx, requester, {
      workspaceId,
      action: 'member.joined',
      target: { id: memberId, name: null, userId: caller.userId },
      after: { role, status: 'active', invitationId: invitation.id },
    });
    return readWorkspace(tx, { workspaceId, memberId });
  });
}

/** Declines an invitation. @throws Fault as `acceptInvitation`, except those about joining */
export async function declineInvitation(deps: WorkspaceDeps, requester: Requester, token: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const { workspaceId, id, email } = await lockAnswerable(deps, tx, requester.caller, token);
    await invitationStore.settle(workspaceId, tx, id, 'declined', new Date(deps.clock.now()));
    await recordAudit(deps, tx, requester, {
      workspaceId,
      action: 'invitation.declined',
      target: { id, name: email },
      before: { status: 'pending' },
      after: { status: 'declined' },
    });
  });
}

/** Locks the workspace and reads the invitation again, because its link may have been replaced while waiting. */
async function lockAnswerable(deps: WorkspaceDeps, tx: Tx, caller: Caller, token: string): Promise<InvitationRow> {
  const hash = hashToken(token);
  const found = await anyInvitationStore.findByToken(tx, hash);
  const held = found && (await workspaceStore.lock(found.workspaceId, tx));
  const invitation = held && (await anyInvitationStore.findByToken(tx, hash));
  if (!invitation) {
    throw new Fault(
      'not_found',
      'There is no invitation with this token: the link may have been replaced by a new one.',
    );
  }
  const person = await lockPerson(tx, caller.userId);
  if (!person) throw goneFault();
  requireAnswerable(invitation, person, deps.clock.now());
  return invitation;
}
