/** The channels whose recipients are people, who have to agree. */
export type RecipientChannel = 'email' | 'sms';

/** Whose recipients must confirm: those of accounts without a paid plan, or of all accounts. */
export type RecipientVerification = 'unpaid' | 'always';

/** What decides whether a workspace may send to an address or number. */
export interface RecipientStatus {
  /** The owner of the workspace has a paid plan that is not on trial. */
  isPaid: boolean;
  /** The verified email address of an active member. */
  isMember: boolean;
  isConfirmed: boolean;
  isRefused: boolean;
}

export type RecipientState = 'allowed' | 'pending' | 'refused';

/** Decides whether a recipient may be sent alerts. A refusal applies on every plan, except to members. */
export function decideRecipientState(
  { isPaid, isMember, isConfirmed, isRefused }: RecipientStatus,
  verification: RecipientVerification,
): RecipientState {
  if (isMember) return 'allowed';
  if (isRefused) return 'refused';
  return isConfirmed || (isPaid && verification !== 'always') ? 'allowed' : 'pending';
}

/** What the operator configures for recipients. */
export interface RecipientRules {
  recipientVerification: RecipientVerification;
}
