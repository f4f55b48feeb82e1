import type { RecipientVerification } from './decide-recipient-state.js';

/** What the operator decides of recipients. */
export interface RecipientRules {
  recipientVerification: RecipientVerification;
}
