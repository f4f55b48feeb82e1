import { Fault } from '@watchpost/shared/fault';

type StoredStatus = 'pending' | 'accepted' | 'declined' | 'revoked';
type Status = StoredStatus | 'expired';

/** The status at a moment: a pending invitation is expired from `expiresAt` on. */
export function statusAt(invitation: { status: StoredStatus; expiresAt: Date }, nowMs: number): Status {
  return invitation.status === 'pending' && invitation.expiresAt.getTime() <= nowMs ? 'expired' : invitation.status;
}

/** Whether a person may answer an invitation. For one without a verified email the token alone proves that it reached them. */
export function isInvited(
  invitation: { email: string },
  person: { email: string | null; emailVerified: boolean },
): boolean {
  return !person.emailVerified || person.email === null || person.email.trim().toLowerCase() === invitation.email;
}

/** An address that its owner recognises, and others cannot write to: `a…@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${Array.from(email).slice(0, 1).join('')}…${email.slice(at)}`;
}

/**
 * Permits an answer by the invited person, in time, once.
 * @throws Fault `not_invited`, `invitation_expired`, `invitation_not_pending`
 */
export function requireAnswerable(
  invitation: { email: string; status: StoredStatus; expiresAt: Date },
  person: { email: string | null; emailVerified: boolean },
  nowMs: number,
): void {
  if (!isInvited(invitation, person)) {
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
