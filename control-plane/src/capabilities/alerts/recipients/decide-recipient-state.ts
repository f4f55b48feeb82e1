/** When recipients must confirm: on accounts without a paid plan, or on all. */
export type RecipientVerification = 'unpaid' | 'always';

/** What is known of an address or number that a workspace sends to. */
export interface RecipientStatus {
  /** The owner of the workspace has a paid plan that is not on trial. */
  isPaid: boolean;
  /** The verified email address of an active member. */
  isMember: boolean;
  isConfirmed: boolean;
  isRefused: boolean;
}

export type RecipientState = 'allowed' | 'pending' | 'refused';

/** A refusal holds on every plan; only membership, which its user accepted, counts for more. */
export function decideRecipientState(
  { isPaid, isMember, isConfirmed, isRefused }: RecipientStatus,
  verification: RecipientVerification,
): RecipientState {
  if (isMember) return 'allowed';
  if (isRefused) return 'refused';
  return isConfirmed || (isPaid && verification !== 'always') ? 'allowed' : 'pending';
}

/** What the operator decides of recipients. */
export interface RecipientRules {
  recipientVerification: RecipientVerification;
}
