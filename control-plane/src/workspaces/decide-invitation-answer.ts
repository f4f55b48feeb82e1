import { Fault } from '@watchpost/shared/fault';

type Status = 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';

/** How an invitation stands: one that nobody answered in time has run out. */
export function standingOf(invitation: { status: Status; expiresAt: Date }, nowMs: number): Status {
  return invitation.status === 'pending' && invitation.expiresAt.getTime() <= nowMs ? 'expired' : invitation.status;
}

/**
 * Whether a person may accept or decline: the one invited, in time, and the first to answer. A person whose
 * email nobody has verified shows by the token alone that the invitation came to them.
 * @throws Fault `not_invited`, `invitation_expired`, `invitation_not_pending`
 */
export function requireAnswerable(
  invitation: { email: string; status: Status; expiresAt: Date },
  person: { email: string | null; emailVerified: boolean },
  nowMs: number,
): void {
  if (person.emailVerified && person.email !== null && person.email.trim().toLowerCase() !== invitation.email) {
    throw new Fault('not_invited', 'This invitation is for another email address: sign in with the one invited.');
  }
  const standing = standingOf(invitation, nowMs);
  if (standing === 'expired') {
    throw new Fault('invitation_expired', 'This invitation has expired: ask for a new link.');
  }
  requirePending(standing);
}

/** @throws Fault `invitation_not_pending` */
export function requirePending(standing: Status): void {
  if (standing !== 'pending') {
    throw new Fault('invitation_not_pending', `This invitation is ${standing}: only a pending one can be changed.`);
  }
}
