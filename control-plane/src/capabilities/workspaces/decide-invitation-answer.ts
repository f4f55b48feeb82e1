import { Fault } from '@watchpost/shared/fault';

type StoredStatus = 'pending' | 'accepted' | 'declined' | 'revoked';
type Status = StoredStatus | 'expired';

/** The status at a moment: a pending invitation is expired once its time is over. */
export function standingOf(invitation: { status: StoredStatus; expiresAt: Date }, nowMs: number): Status {
  return invitation.status === 'pending' && invitation.expiresAt.getTime() <= nowMs ? 'expired' : invitation.status;
}

/**
 * Whether a person may accept or decline: the one invited, in time, and the first to answer. A person whose
 * email nobody has verified shows by the token alone that the invitation came to them.
 * @throws Fault `not_invited`, `invitation_expired`, `invitation_not_pending`
 */
export function requireAnswerable(
  invitation: { email: string; status: StoredStatus; expiresAt: Date },
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
  if (standing !== 'pending') throw notPending(`This invitation is ${standing} already.`);
}

/**
 * Whether an invitation can be revoked or given a new link: while it is pending, and once it has expired.
 * @throws Fault `invitation_not_pending`
 */
export function requireOpen(standing: Status): void {
  if (standing !== 'pending' && standing !== 'expired') {
    throw notPending(`This invitation is ${standing}: invite the address again.`);
  }
}

function notPending(message: string): Fault {
  return new Fault('invitation_not_pending', message);
}
