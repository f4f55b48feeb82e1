import type { Budgets } from '../../plans/index.js';
import type { RecipientState } from './decide-recipient-state.js';

/** Why a message is not sent. */
export type Refusal = 'recipient_unconfirmed' | 'recipient_refused' | 'budget_exceeded';

/** Whom a message is for: a recipient of a group, or a person on call. */
export type MessagePurpose = 'alert' | 'page';

/** How many times the budget of SMS pages may take, so that alerts that use it up silence nobody on call. */
const PAGE_FACTOR = 2;

/** The budget that a message takes, up to how many a day (null: any number), or why it is not sent. */
export type Admission = { kind: 'mails' | 'sms'; most: number | null } | { refusal: Refusal };

/**
 * Decides whether a message may be sent. Pages by mail go to the account of a member and are never refused; a phone
 * number is declared by its user alone, so it is confirmed for pages as for alerts.
 */
export function decideAdmission(
  channel: 'email' | 'sms',
  purpose: MessagePurpose,
  state: RecipientState,
  budgets: Budgets,
): Admission {
  if (channel === 'email' && purpose === 'page') return { kind: 'mails', most: null };
  if (state !== 'allowed') return { refusal: state === 'refused' ? 'recipient_refused' : 'recipient_unconfirmed' };
  if (channel === 'email') return { kind: 'mails', most: budgets.mails };
  return { kind: 'sms', most: purpose === 'page' ? PAGE_FACTOR * budgets.sms : budgets.sms };
}
