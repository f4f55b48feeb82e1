import { Fault } from '@watchpost/shared/fault';

type StoredStatus = 'pending' | 'accepted' | 'declined' | 'revoked';
type Status = StoredStatus | 'expired';

/** The status at a moment: a pending invitation is expired from `expiresAt` on. */
export function statusAt(invitation: { status: StoredStatus; expiresAt: Date }, nowMs: number): Status {
  return invitation.status === 'pending' && invitation.expiresAt.getTime() <= nowMs ? 'expired' : invitation.status;
}

/**
 * Permits an answer by the invited person, in time, once. For a person without a verified email the token alone proves
 * that the invitation reached them.
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
  const status = statusAt(invitation, nowMs);
  if (status === 'expired') {
    throw new Fault('invitation_expired', 'This invitation has expired: ask for a new link.');
  }
  if (status !== 'pending') throw notPending(`This invitation is ${status} already.`);
}

/**
 * Permits a pending or expired invitation to be revoked or regenerated.
 * @throws Fault `invitation_not_pending`
 */
export function requireOpen(status: Status): void {
  if (status !== 'pending' && status !== 'expired') {
    throw notPending(`This invitation is ${status}: invite the address again.`);
  }
}

function notPending(message: string): Fault {
  return new Fault('invitation_not_pending', message);
}
