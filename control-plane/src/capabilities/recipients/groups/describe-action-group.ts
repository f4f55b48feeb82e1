import { notFound, found } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import type { ActionGroup } from './action-group.js';
import { actionGroupStore, type CountedGroupRow, type GroupFilter, type SealedGroupRow } from './action-group-store.js';
import { channelOf } from '../../channels/index.js';
import { emptyContent, wholeRules } from '../../group-settings/index.js';
import { decideRecipientState, type RecipientRules, type RecipientState } from '../../delivery/index.js';

/** Returns a group in the form of answers. @throws Fault not_found where there is no row */
export function describeActionGroup(row: CountedGroupRow | undefined, rules: RecipientRules): ActionGroup {
  if (!row) throw notFound('action group');
  const { created, lastModified, settings, rules: stored, unconfirmed, attachTags, attachAll, ...rest } = row;
  const inState = (state: RecipientState) =>
    unconfirmed
      .filter((one) => decideRecipientState(one, rules.recipientVerification) === state)
      .map(({ address }) => address);
  return {
    ...rest,
    attachTo: { tags: attachTags, all: attachAll },
    ...wholeRules(stored),
    ...emptyContent(channelOf(rest.type).fields).settings,
    ...settings,
    ...(channelOf(rest.type).isPersonal
      ? { recipientsPending: inState('pending'), recipientsRefused: inState('refused') }
      : {}),
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
  };
}

/** Locks a group until the transaction ends, and reads it. @throws Fault not_found */
export async function lockActionGroup(
  rules: RecipientRules,
  tx: Tx,
  workspaceId: string,
  id: string,
  filter: GroupFilter = {},
  strength: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
): Promise<{ row: SealedGroupRow; group: ActionGroup }> {
  const row = found(await actionGroupStore.lock(workspaceId, tx, id, filter, strength), 'action group');
  // A second statement, because monitors may have been attached while the first one waited for the lock.
  return { row, group: describeActionGroup(await actionGroupStore.find(workspaceId, tx, id, filter), rules) };
}
