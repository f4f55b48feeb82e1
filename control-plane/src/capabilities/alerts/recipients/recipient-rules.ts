import type { RecipientVerification } from './decide-recipient.js';

/** What the operator decides of recipients. */
export interface RecipientRules {
  recipientVerification: RecipientVerification;
}
