import type { Sender } from '../../plans/index.js';
import type { RecipientState } from './decide-recipient-state.js';

export type Refusal = 'recipient_unconfirmed' | 'recipient_refused' | 'budget_exceeded';

/** The purpose of a message: an alert to a recipient of a group, or a page to a person on call. */
export type MessagePurpose = 'alert' | 'page';

/** Pages may take the SMS budget this many times over, so that alerts cannot use up what pages need. */
const PAGE_FACTOR = 2;

/** The budget that a message takes from, with its daily limit (null: none), or why the message is refused. */
export type Admission = { kind: 'mails' | 'sms'; most: number | null } | { refusal: Refusal };

/**
 * Decides whether a message may be sent. Pages by mail go to the verified account of a member and are never refused. A
 * phone number is not verified by the account, so it has to be confirmed for pages too.
 */
export function decideAdmission(
  channel: 'email' | 'sms',
  purpose: MessagePurpose,
  state: RecipientState,
  budgets: Sender['budgets'],
): Admission {
  if (channel === 'email' && purpose === 'page') return { kind: 'mails', most: null };
  if (state !== 'allowed') return { refusal: state === 'refused' ? 'recipient_refused' : 'recipient_unconfirmed' };
  if (channel === 'email') return { kind: 'mails', most: budgets.mails };
  return { kind: 'sms', most: purpose === 'page' ? PAGE_FACTOR * budgets.sms : budgets.sms };
}
