import { notFound } from '@watchpost/shared/fault';
import type { ActionGroup } from './action-group.js';
import type { CountedGroupRow } from './action-group-store.js';
import { decideRecipientState, type RecipientState } from './recipients/decide-recipient-state.js';
import type { RecipientRules } from './recipients/recipient-rules.js';

/** A group as it is shown. @throws Fault not_found where there is no row */
export function describeActionGroup(row: CountedGroupRow | undefined, rules: RecipientRules): ActionGroup {
  if (!row) throw notFound('action group');
  const { created, lastModified, settings, unconfirmed, ...rest } = row;
  const inState = (state: RecipientState) =>
    unconfirmed
      .filter((one) => decideRecipientState(one, rules.recipientVerification) === state)
      .map(({ address }) => address);
  return {
    ...rest,
    ...settings,
    ...(rest.type === 'email' || rest.type === 'sms'
      ? { recipientsPending: inState('pending'), recipientsRefused: inState('refused') }
      : {}),
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
  };
}
