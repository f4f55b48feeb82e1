import { notFound } from '@watchpost/shared/fault';
import { hashToken } from '../../platform/identity/secret-token.js';
import type { Caller } from '../../platform/identity/caller.js';
import { readPerson } from '../users/index.js';
import { isInvited, maskEmail, statusAt } from './decide-invitation-answer.js';
import type { InvitationOffer } from './invitation-schemas.js';
import { anyInvitationStore, invitationStore } from './invitation-store.js';
import { memberStore } from './member-store.js';
import type { WorkspaceDeps } from './workspace-deps.js';

/** What an invitation offers to the person who opens its link. @throws Fault not_found */
export async function readInvitationOffer(
  deps: WorkspaceDeps,
  caller: Caller,
  token: string,
): Promise<InvitationOffer> {
  return deps.db.read(async (tx) => {
    const invitation = await anyInvitationStore.findByToken(tx, hashToken(token));
    const person = await readPerson(tx, caller.userId);
    if (!invitation || !person) throw notFound('invitation with this link');
    const { workspaceId, role, email, expiresAt, invitedBy } = invitation;
    const names = await invitationStore.names(workspaceId, tx, invitedBy);
    const isMember = (await memberStore.findByUser(workspaceId, tx, caller.userId)) !== undefined;
    const isForYou = isInvited(invitation, person);
    return {
      workspaceId: isMember ? workspaceId : null,
      workspaceName: names.workspace,
      role,
      status: statusAt(invitation, deps.clock.now()),
      expiresAt: expiresAt.toISOString(),
      invitedBy: names.inviter,
      email: isForYou ? email : maskEmail(email),
      isForYou,
    };
  });
}
